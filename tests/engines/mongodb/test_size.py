"""Bytes and costs: the worked examples of docs/sizing.md, and bands that hold what BSON really takes."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Annotated, Any, ClassVar, Literal

import bson
import pytest
from pydantic import BaseModel, Field
from tests.engines.mongodb.designs import binding_of, database_of, shop, stored_in
from tests.engines.mongodb.everything import Other, Usual, values
from tests.engines.mongodb.patterned import DATA, planned

import keywright as kw
from keywright import runtime
from keywright.access.cost import Band, Cost
from keywright.engines.mongodb.access.layout import Layout, view
from keywright.engines.mongodb.access.size import array_bytes, document_bytes, entries, entry_bytes
from keywright.engines.mongodb.engine import ENGINE

Text = Annotated[str, Field(min_length=7, max_length=7, pattern="^[ -~]+$"), kw.Size(avg=7, max=7)]


class Line(BaseModel):
    sku: Annotated[str, kw.Size(avg=8, max=8)]
    name: Annotated[str, kw.Size(avg=6, max=6)]
    qty: Annotated[int, Field(ge=1, le=999)]
    price: Decimal


class Order(BaseModel):
    """The worked example of 409 bytes; the server makes its id."""

    __store__: ClassVar = kw.Collection(shop, "orders")

    schema_version: Annotated[int, Field(ge=1, le=9)]
    user_id: Text
    order_id: Annotated[str, kw.Size(avg=8, max=8)]
    placed_at: datetime
    status: Literal["paid", "open"]
    total: Decimal
    discount: float
    gift: bool
    note: str | None = None
    user_name: Annotated[str, kw.Size(avg=10, max=10)]
    tags: Annotated[list[Annotated[str, kw.Size(avg=7, max=7)]], Field(min_length=3, max_length=3)]
    lines: Annotated[list[Line], Field(min_length=2, max_length=2)]


ORDER = Order(
    schema_version=1, user_id="u-10042", order_id="o-7f3a9c", placed_at=datetime(2026, 3, 14, 9, 26, 53, tzinfo=UTC),
    status="paid", total=Decimal("129.9"), discount=-5.5, gift=False, user_name="Zoë Blanc",
    tags=["fragile", "eu", "prime"],
    lines=[Line(sku="SKU-001", name="Mug", qty=2, price=Decimal("49.95")),
           Line(sku="SKU-0207", name="Teapot", qty=1, price=Decimal(30))],
)  # fmt: skip


def view_of(model: type[BaseModel]) -> Layout:
    binding = binding_of(model)
    layout = view(ENGINE.place(database_of(model), ENGINE.localise(None, "6.0")), binding)
    assert layout is not None
    return layout


def holds(band: Band, size: int) -> bool:
    return band.low <= size and (band.high is None or size <= band.high)


def test_the_worked_example_takes_409_bytes() -> None:
    document = {"_id": bson.ObjectId(), **runtime.to_item(ORDER)}
    assert len(bson.encode(document)) == 409
    assert holds(document_bytes(view_of(Order)), 409)


@pytest.mark.parametrize(("count", "size"), [(10, 70), (100, 790), (1000, 8890)])
def test_an_array_of_int_takes_what_the_worked_example_says(count: int, size: int) -> None:
    assert array_bytes(count, 4) - array_bytes(0, 4) == size
    empty = len(bson.encode({"a": []}))
    assert len(bson.encode({"a": [7] * count})) - empty == size


FIXED: list[tuple[Any, str | None, Any, int]] = [
    (datetime, None, datetime(2026, 1, 1, tzinfo=UTC), 8),
    (datetime, "string", datetime(2026, 1, 1, tzinfo=UTC), 32),
    (bool, None, True, 1),
    (float, None, 1.5, 8),
    (Decimal, None, Decimal("1.5"), 16),
    (timedelta, None, timedelta(1), 8),
    (Annotated[int, Field(ge=0, le=9)], None, 7, 4),
    (Annotated[int, Field(ge=2**40)], None, 2**41, 8),
    (int, "long", 7, 8),
    (Annotated[str, Field(min_length=24, max_length=24)], "objectId", "6" * 24, 12),
]


@pytest.mark.parametrize(("kind", "chosen", "value", "size"), FIXED)
def test_a_value_of_fixed_size_is_exact(kind: Any, chosen: str | None, value: Any, size: int) -> None:
    types = {} if chosen is None else {"v": chosen}
    model = stored_in(kw.Collection(shop, "things", types=types), {"v": kind})
    band, named = document_bytes(view_of(model)), size + 3 + 17 + 5
    assert (band.low, band.high, band.missing) == (named, named, frozenset())
    document = {"_id": bson.ObjectId(), **runtime.to_item(model(v=value))}
    assert len(bson.encode(document)) == named


@pytest.mark.parametrize("model", [Usual, Other])
def test_a_document_of_every_type_is_within_its_band(model: Any) -> None:
    for changes in ({}, {"optional": None, "given": None, "listed": [], "mapped": {}}):
        document = runtime.to_item(model(**values(**changes)))
        assert holds(document_bytes(view_of(model)), len(bson.encode(document)))


@pytest.mark.parametrize("name", [name for name in DATA if name != "Writer"])
def test_documents_are_within_their_band(name: str) -> None:
    entry = planned(
        {"Thing": "by_id", "Chunk": "chunk", "Bucket": "fill_bucket", "Note": "put_note"}.get(name, "sampled")
    )
    layout = view(entry.target, entry.binding)
    assert layout is not None
    band = document_bytes(layout)
    for instance in DATA[name]():
        document = {"_id": bson.ObjectId(), **runtime.to_item(instance)}
        assert holds(band, len(bson.encode(document)))


def test_a_bound_that_is_not_said_is_named() -> None:
    band = document_bytes(view_of(stored_in(kw.Collection(shop, "things"), {"v": list[str]})))
    assert (band.high, band.expected) == (None, None)
    assert band.missing == {"Thing.v: Field(max_length=)", "Thing.v: Field(max_length=) or Size(max=)"}


def test_an_index_has_an_entry_for_each_element() -> None:
    entry = planned("by_id")
    layout = view(entry.target, entry.binding)
    assert layout is not None
    by_name = {index.name: index for index in layout.collection.indexes}
    assert entries(layout, by_name["scores_1"]) == Band(0, 1.5, 3)
    assert entries(layout, by_name["serial_1"]) == Band(1, 1, 1)
    assert entries(layout, by_name["flagged"]) == Band(0, 1, 1)
    assert entry_bytes(layout, by_name["flagged"]).expected == 9  # int, a byte of type, where the document is


MEASURED: list[tuple[Any, str, Any]] = [
    ({"v": Annotated[str, kw.Size(max=12, avg=12)]}, "v", (12.0, 36.0)),
    ({"v": Annotated[str, kw.Size(max=12, avg=12)], "at": datetime}, ["v", "at"], (19.8, 59.7)),
    ({"v": datetime}, "v", (10.1, 30.6)),
    ({"v": Annotated[int, Field(ge=0, le=100_000)]}, "v", (9.8, 29.7)),
]
"""Fields, index, and bytes of an entry: as measured of one built at once, and three times that."""


@pytest.mark.parametrize(("fields", "keys", "measured"), MEASURED)
def test_entries_of_an_index_are_within_what_was_measured(
    fields: Any, keys: Any, measured: tuple[float, float]
) -> None:
    model = stored_in(kw.Collection(shop, "things", indexes=[kw.Index(keys)]), fields)
    layout = view_of(model)
    (index,) = layout.collection.indexes
    band = entry_bytes(layout, index)
    assert band.low <= measured[0] <= (band.high or 0)


def cost(name: str) -> Cost:
    return ENGINE.cost(planned(name))


def test_a_read_by_key_examines_one_document() -> None:
    for name in ("by_id", "by_serial", "chunk", "strong_thing"):
        result = cost(name)
        assert (result.units, result.returned, result.round_trips) == (Band(0, 1, 1), Band(0, 1, 1), Band(1, 1, 1))


def test_a_page_examines_what_it_returns() -> None:
    result = cost("of_group")
    assert (result.units, result.returned, result.missing) == (Band(0, 25, 25), Band(0, 25, 25), frozenset())
    assert result.arms == (("", Band(0, 25, 25)), ("group_1_moment_-1", Band(0, 25, 25)))


def test_what_is_judged_afterwards_has_no_end_that_is_known() -> None:
    result = cost("of_group_flagged")
    assert (result.units.expected, result.units.high) == (20, None)  # of 2,000 in a group, half of them are flagged
    assert result.missing == {"Thing.group: kw.Ref(max_referrers=)"}


def test_a_write_costs_an_entry_of_each_index_that_it_touches() -> None:
    arms = dict(cost("set_moment").arms)
    assert set(arms) == {"", "group_1_moment_-1", "group_1_number_1_moment_1", "coloured", "monthly"}
    assert (arms[""], arms["group_1_moment_-1"]) == (Band(1, 1, 1), Band(0, 2, 2))
    assert len(cost("put_thing").arms) == 20
    assert dict(cost("add_number").arms).keys() == {
        "", "group_1_number_1_moment_1", "tags_number", "flagged",
    }  # fmt: skip


def test_a_batch_costs_its_size() -> None:
    assert cost("put_sample").units == Band(10, 10, 10)


def test_buckets_are_counted_by_their_span() -> None:
    result = cost("sampled")
    assert result.units.high == 42  # a page of 40, and a bucket more on each side
    assert result.returned == Band(0, 40, 40)


def test_a_transaction_costs_the_sum_of_its_writes() -> None:
    result = cost("both")
    assert (result.units, result.round_trips) == (Band(2, 2, 2), Band(3, 3, 3))
