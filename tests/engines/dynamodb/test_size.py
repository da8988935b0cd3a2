"""Sizes and costs: the worked examples, each a figure that a server or the vendor confirmed."""

from decimal import Decimal
from typing import Annotated, Any, ClassVar

import pytest
from pydantic import BaseModel, Field
from tests.engines.dynamodb import patterned
from tests.engines.dynamodb.planning import plans, plans_of

import keywright as kw
from keywright.access.cost import Band, Cost, exactly
from keywright.engines.dynamodb.access.cost.native_bytes import native_bytes, number_bytes
from keywright.engines.dynamodb.access.cost.size import entry_bytes, item_bytes
from keywright.engines.dynamodb.access.cost.units import index_write_units, read_units, write_units
from keywright.engines.dynamodb.access.layout import entity_of
from keywright.engines.dynamodb.engine import ENGINE

NUMBERS = {
    "0": 1, "-0": 1, "0.00": 1, "1": 2, "12": 2, "123": 3, "100": 2, "1010": 3, "1.5": 3, "100.5": 4, "0.15": 2,
    "1732000001": 6, "1E125": 2, "-42": 3, "-1E125": 3, "9" * 38: 20, "-" + "9" * 38: 21, "120": 3, "0.012": 3,
    "129.9": 4, "-5.5": 4, "1773480413": 6, "49.95": 3, "30": 2, "2": 2,
}  # fmt: skip


@pytest.mark.parametrize(("text", "size"), NUMBERS.items())
def test_a_number_takes_its_digits_in_pairs_around_the_point(text: str, size: int) -> None:
    assert number_bytes(Decimal(text)) == size


def test_floats_and_whole_numbers_take_the_same() -> None:
    assert [number_bytes(value) for value in (1.5, 100, -42, 0.15, 10**37)] == [3, 2, 3, 2, 2]


ORDER: dict[str, Any] = {
    "pk": {"S": "USER#u-10042"}, "sk": {"S": "ORDER#2026-03-14T09:26:53Z#o-7f3a9c"}, "gsi1pk": {"S": "STATUS#paid#3"},
    "gsi1sk": {"S": "2026-03-14T09:26:53Z"}, "user_id": {"S": "u-10042"}, "order_id": {"S": "o-7f3a9c"},
    "placed_at": {"S": "2026-03-14T09:26:53Z"}, "status": {"S": "paid"}, "total": {"N": "129.9"},
    "discount": {"N": "-5.5"}, "gift": {"BOOL": False}, "note": {"NULL": True}, "expires_at": {"N": "1773480413"},
    "user_name": {"S": "Zoë Blanc"}, "tags": {"L": [{"S": "fragile"}, {"S": "eu"}, {"S": "prime"}]},
    "lines": {"L": [
        {"M": {"sku": {"S": "SKU-001"}, "name": {"S": "Mug"}, "qty": {"N": "2"}, "price": {"N": "49.95"}}},
        {"M": {"sku": {"S": "SKU-0207"}, "name": {"S": "Teapot"}, "qty": {"N": "1"}, "price": {"N": "30"}}},
    ]},
}  # fmt: skip


def test_the_order_of_the_worked_example_takes_342_bytes() -> None:
    assert native_bytes(ORDER) == 342
    assert native_bytes({"tags": ORDER["tags"]}) == 4 + 20
    assert native_bytes({"lines": ORDER["lines"]}) == 5 + 82
    assert native_bytes(ORDER | {"body": {"S": "x" * 3_700}}) == 4_046
    entry = {name: ORDER[name] for name in ("pk", "sk", "gsi1pk", "gsi1sk")}
    assert native_bytes(entry) == 96
    assert native_bytes(entry | {name: ORDER[name] for name in ("total", "status")}) == 115


def test_sets_take_their_elements_and_nothing_more() -> None:
    assert native_bytes({"a": {"SS": ["x", "yy"]}, "b": {"NS": ["1", "100.5"]}, "c": {"BS": [b"123"]}}) == 3 + 3 + 6 + 3
    assert native_bytes({"a": {"B": b"1234"}, "b": {"M": {}}, "c": {"L": []}}) == 3 + 4 + 3 + 3


UNITS = [
    # before, after, what an index holds before and after (KEYS 96, INCLUDE 115, ALL), and what changes
    ("insert", (0, 4046), [((0, 96), "in"), ((0, 115), "in"), ((0, 4046), "in")], (4, 1, 1, 4)),
    ("put the identical item", (4046, 4046), [((96, 96), ""), ((115, 115), ""), ((4046, 4046), "")], (4, 0, 0, 0)),
    ("put 342 B over 4,046 B", (4046, 342), [((96, 96), ""), ((115, 115), ""), ((4046, 342), "in")], (4, 0, 0, 4)),
    ("update what is held", (4046, 4046), [((96, 96), ""), ((115, 115), "in"), ((4046, 4046), "in")], (4, 0, 1, 4)),
    ("change the key", (4046, 4046), [((96, 96), "key"), ((115, 115), "key"), ((4046, 4046), "key")], (4, 2, 2, 8)),
    ("leave", (4046, 4046), [((96, 0), "key"), ((115, 0), "key"), ((4046, 0), "key")], (4, 1, 1, 4)),
    ("grow, another key", (346, 4046), [((96, 96), "key"), ((115, 115), "key"), ((346, 4046), "key")], (4, 2, 2, 5)),
    ("delete", (4046, 0), [((96, 0), "in"), ((115, 0), "in"), ((4046, 0), "in")], (4, 1, 1, 4)),
    ("delete what is missing", (0, 0), [((0, 0), "")] * 3, (1, 0, 0, 0)),
]  # fmt: skip


@pytest.mark.parametrize(("step", "item", "entries", "units"), UNITS, ids=[unit[0] for unit in UNITS])
def test_a_write_is_charged_on_the_table_and_on_each_index_that_it_changes(
    step: str, item: tuple[int, int], entries: list[tuple[tuple[int, int], str]], units: tuple[int, ...]
) -> None:
    result = [write_units(*item)]
    result += [
        index_write_units(*sizes, is_changed=bool(change), is_key_changed=change == "key") for sizes, change in entries
    ]
    assert tuple(result) == units


def test_units_begin_anew_behind_each_kilobyte() -> None:
    assert [write_units(0, size) for size in (0, 1, 1_024, 1_025)] == [1, 1, 1, 2]
    assert [read_units(size, is_strong=True) for size in (0, 4_096, 4_097)] == [1, 1, 2]


def test_a_query_is_rounded_once_and_a_batch_item_by_item() -> None:
    assert read_units(20 * 342, is_strong=True) == 2
    assert read_units(20 * 342) == 1
    assert [read_units(count * 342, is_strong=True) for count in (11, 12)] == [1, 2]
    assert 20 * read_units(342) == 10


account = kw.DynamoTable("account", discriminator=None, sk=None, gsis=[
    kw.Gsi("by_name", pk="name", project="keys"), kw.Gsi("by_level", pk="level", project=["note"])
])  # fmt: skip


class Account(BaseModel):
    """An item of a size that is known to the byte."""

    __store__: ClassVar = kw.Item(account, pk="A#{key}")

    key: Annotated[str, Field(pattern="^[a-z]{4}$", min_length=4, max_length=4), kw.Size(avg=4, max=4)]
    name: Annotated[str, Field(max_length=100), kw.Size(avg=10, max=10)]
    level: Annotated[int, Field(ge=10, le=99)]
    note: Annotated[str, Field(min_length=1_900), kw.Size(avg=1_900, max=1_900)]
    times: Annotated[int, Field(ge=10, le=99)]
    open: bool


read = kw.Get(Account)
read_strong = kw.Get(Account, consistency="strong")
of_name = kw.Read(Account, eq="name", limit=10, fields=["key", "name"])
whole_of_name = kw.Read(Account, eq="name", limit=10)
count_name = kw.Count(Account, eq="name")
open_of_name = kw.Read(Account, eq="level", where={"note": "x"}, limit=10, fields=["note"])
put = kw.Put(Account)
put_new = kw.Put(Account, if_absent=True)
put_many = kw.Put(Account, batch=60)
set_open = kw.Update(Account, sets="open")
set_note = kw.Update(Account, sets="note")
set_level = kw.Update(Account, sets="level")
again = kw.Increment(Account, "times")
drop = kw.Delete(Account)
both = kw.Transact([kw.Put(Account, if_absent=True), kw.Update(Account, sets="level", batch=2)])

MADE = plans(
    account=account, Account=Account, read=read, read_strong=read_strong, of_name=of_name,
    whole_of_name=whole_of_name, count_name=count_name, open_of_name=open_of_name, put=put, put_new=put_new,
    put_many=put_many, set_open=set_open, set_note=set_note, set_level=set_level, again=again, drop=drop, both=both,
)  # fmt: skip
# pk 2 + 6, key 3 + 4, name 4 + 10, level 5 + 2, note 4 + 1,900, times 5 + 2, open 4 + 1
ITEM = 8 + 7 + 14 + 7 + 1_904 + 7 + 5
BY_NAME = 14 + 8
BY_LEVEL = 7 + 8 + 1_904


def cost(name: str) -> Cost:
    return ENGINE.cost(MADE.plan(name))


def arms(name: str) -> dict[str, tuple[float, float | None, float | None]]:
    """(low, expected, high) by arm."""
    return {index: (band.low, band.expected, band.high) for index, band in cost(name).arms}


def test_items_and_entries_have_the_size_of_their_parts() -> None:
    entity = entity_of(MADE.tables["account"], MADE.bindings["Account"])
    assert entity is not None
    size = item_bytes(entity)
    assert (size.expected, size.high, size.missing) == (ITEM, ITEM, frozenset())
    routes = {route.index: route for route in entity.routes}
    assert entry_bytes(entity, routes["by_name"]).high == BY_NAME
    assert entry_bytes(entity, routes["by_level"]).high == BY_LEVEL


def test_reads_by_key_cost_half_where_they_may_be_stale() -> None:
    assert arms("read") == {"": (0.5, 0.5, 0.5)}
    assert arms("read_strong") == {"": (1, 1, 1)}


def test_a_query_of_keys_is_cheap_and_fetching_is_not() -> None:
    assert arms("of_name") == {"": (0, 5, 5), "by_name": (0.5, 0.5, 0.5)}
    assert arms("whole_of_name") == {"": (0, 5, 5), "by_name": (0.5, 0.5, 0.5)}


def test_what_nothing_bounds_is_named_and_not_guessed() -> None:
    band = cost("count_name").units
    assert (band.low, band.expected, band.high) == (0.5, None, None)
    assert band.missing == {"count_name: how many items there are"}
    assert cost("open_of_name").missing == {"open_of_name: how many items have note = 'x'"}


def test_a_put_writes_all_indexes_once_and_over_another_item_up_to_twice() -> None:
    assert arms("put_new") == {"": (2, 2, 2), "by_name": (1, 1, 1), "by_level": (2, 2, 2)}
    assert arms("put") == {"": (2, 2, 2), "by_name": (0, 1, 2), "by_level": (0, 2, 4)}
    assert arms("put_many")[""] == (120, 120, 120)
    assert cost("put_many").round_trips == exactly(3)


def test_an_update_writes_the_indexes_that_hold_what_it_changes() -> None:
    assert arms("set_open") == {"": (1, 2, 2)}
    assert arms("set_note") == {"": (1, 2, 2), "by_level": (0, 2, 2)}
    assert arms("set_level") == {"": (1, 2, 2), "by_level": (0, 4, 4)}
    assert arms("again") == {"": (1, 2, 2)}
    assert arms("drop") == {"": (1, 2, 2), "by_name": (0, 1, 1), "by_level": (0, 2, 2)}


def test_a_transaction_is_charged_twice_on_the_table_and_once_on_indexes() -> None:
    assert arms("both") == {"": (2 * (2 + 2), 12, 12), "by_name": (1, 1, 1), "by_level": (2, 2 + 8, 2 + 8)}


def test_copies_and_shards_multiply() -> None:
    created = plans_of(patterned)
    assert dict(ENGINE.cost(created.plan("put_offer")).arms)[""].low == 3 * 2
    assert ENGINE.cost(created.plan("take_one")).units.low == 1
    assert ENGINE.cost(created.plan("take_one")).round_trips == Band(1, 1, 5)
    assert ENGINE.cost(created.plan("drop_stock")).partitions == 1


def test_every_pattern_of_the_models_has_a_cost_and_a_native_form() -> None:
    created = plans_of(patterned)
    for name in created.patterns:
        planned = created.plan(name)
        if planned.is_served:
            assert ENGINE.cost(planned).unit in ("RCU", "WCU")
            assert ENGINE.query(planned)
