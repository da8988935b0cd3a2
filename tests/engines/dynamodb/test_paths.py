"""Verdicts of the planner: by what a pattern is served, or why it is not, written down for every case."""

from datetime import datetime, timedelta
from types import ModuleType
from typing import Annotated, Any, ClassVar, Literal

import pytest
from pydantic import BaseModel, Field
from tests.engines.dynamodb import patterned
from tests.engines.dynamodb.planning import Plans, plans, plans_of

import keywright as kw
from keywright.access.path import AccessPath, NotServed
from keywright.engines.dynamodb.access.calls import (
    BatchGetItem,
    DeleteItem,
    GetItem,
    PutItems,
    QueryItems,
    TransactWrite,
    UpdateItem,
)
from keywright.engines.dynamodb.engine import ENGINE
from keywright.engines.dynamodb.schema.target import TableTarget

PATTERNED = plans_of(patterned)

SERVED: dict[str, tuple[str, int, str, tuple[str, ...]]] = {
    "task": ("table tasks", 1, "none", ()),
    "task_if_open": ("table tasks", 1, "none", ("status = 'open'",)),
    "task_by_id": ("gsi main", 1, "none", ()),
    "first_of_team": ("table tasks", 1, "none", ()),
    "tasks_of_team": ("table tasks", 1, "index", ()),
    "tasks_between_backward": ("table tasks", 1, "index", ()),
    "by_ids": ("table tasks", 1, "memory", ()),
    "urgent": ("gsi natural", 1, "index", ()),
    "middle": ("gsi natural", 1, "index", ()),
    "ranked": ("gsi natural", 1, "merge", ()),
    "scored": ("lsi by_score", 1, "index", ()),
    "open_of_kind": ("gsi sparse", 4, "merge", ("status = 'open'",)),
    "waiting_of_kind": ("gsi sparse", 4, "merge", ()),
    "of_days": ("gsi daily", 12, "merge", ("sk begins with 'TASK#'",)),
    "newest": ("gsi daily", 12, "merge", ("sk begins with 'TASK#'",)),
    "of_owner": ("gsi owned", 1, "index", ("entity_type = 'Task'",)),
    "unowned": ("table tasks", 1, "none", ("owner = None",)),
    "count_team": ("lsi by_score", 1, "none", ()),
    "stock": ("table shards", 5, "none", ()),
    "offer": ("table copies", 1, "none", ()),
    "offers_of_days": ("table copies", 1, "memory", ()),
    "some_readings": ("table readings", 3, "merge", ()),
}


@pytest.mark.parametrize("name", SERVED)
def test_a_pattern_is_served_by_the_cheapest_key(name: str) -> None:
    assert PATTERNED.verdict(name) == SERVED[name]


CALLS: dict[str, type] = {
    "task": GetItem, "task_if_open": QueryItems, "by_ids": BatchGetItem, "stock": BatchGetItem, "put_task": PutItems,
    "set_owner": UpdateItem, "again": UpdateItem, "drop": DeleteItem, "move": TransactWrite, "count_team": QueryItems,
}  # fmt: skip


@pytest.mark.parametrize("name", CALLS)
def test_a_pattern_is_sent_as_one_kind_of_call(name: str) -> None:
    assert isinstance(PATTERNED.path(name).call, CALLS[name])


# What is refused.

shared = kw.Gsi("shared", pk="gsi1pk", sk="gsi1sk")
bare = kw.Gsi("bare", pk="gsi2pk")
narrow = kw.Gsi("narrow", pk="kind", sk="size", project=["at"])
table = kw.DynamoTable("things", gsis=[shared, bare, narrow], lsis=[kw.Lsi("by_size", sk="size", project="keys")])


class Inner(BaseModel):
    name: str


class Thing(BaseModel):
    __store__: ClassVar = kw.Item(
        table,
        pk="O#{owner}",
        sk="T#{at:iso}#{id}",
        gsis=[
            shared.key(pk="ID#{id}", sk="THING", where={"kind": kw.OneOf(["a", "b"])}),
            bare.key(pk="NOTE#{note}"),
        ],
    )

    id: Annotated[str, Field(max_length=8)]
    owner: Annotated[str, Field(max_length=8)]
    at: datetime
    kind: Literal["a", "b", "c"]
    size: int
    note: str | None = None
    price: float = 0.0
    inner: list[Inner] = []
    tags: list[str] = []
    bag: dict[str, int] = {}
    nullable: list[str] | None = []


class Other(BaseModel):
    """Another entity that is in two of the indexes too."""

    __store__: ClassVar = kw.Item(table, pk="X#{owner}", sk="X", gsis=[shared.key(pk="ID#{owner}", sk="T")])

    owner: str
    kind: str
    size: int


REFUSED: dict[str, tuple[Any, str]] = {
    "nothing given": (kw.Read(Thing, limit=1), 'the pattern has no equality on "owner"'),
    "a part of the key": (kw.Get(Thing, eq="at"), 'no key or index of "things" starts with "at"'),
    "sparse, not asked so": (
        kw.Get(Thing, eq="id"), "it contains only items with kind in ('a', 'b'): add the condition to where=",
    ),
    "sparse, asked otherwise": (
        kw.Get(Thing, eq="id", where={"kind": "c"}),
        "it contains only items with kind in ('a', 'b'): add the condition to where=",
    ),
    "a strong read": (
        kw.Get(Thing, eq="note", consistency="strong"),
        'a global index is read eventually: read by the table\'s key, or accept consistency="eventual"',
    ),
    "null in a key": (kw.Count(Thing, where={"note": None}), 'no key contains items whose "note" is None'),
    "another order": (
        kw.Read(Thing, eq="owner", order="kind", limit=1),
        'table things has the order of "at", "id", and the pattern needs "kind"',
    ),
    "two directions": (
        kw.Read(Thing, eq="owner", order=["at", "-id"], limit=1),
        'table things has the order of "at", "id", and the pattern needs "at", "-id"',
    ),
    "words": (kw.Read(Thing, eq="owner", search="note", limit=1), 'DynamoDB has no text search for "note"'),
    "elements of a list": (
        kw.Count(Thing, eq=["owner", "inner.name"]), 'a filter cannot test the elements of "inner"',
    ),
    "a whole list": (
        kw.Count(Thing, eq=["owner", "tags"]), 'a filter cannot compare "tags", which is not a single value',
    ),
    "a join": (
        kw.Read(Thing, eq="owner", joins=[kw.Join(Other, on={"owner": "owner"}, fields="size")], limit=1),
        'DynamoDB has no joins: copy the fields of "Other", or read them separately',
    ),
    "a place in an order": (
        kw.Rank(Thing, eq="owner", order="size"),
        "DynamoDB has no ranks: use a store with ranks, such as a sorted set of Redis",
    ),
    "members around one": (
        kw.RankAround(Thing, eq="owner", order="size"),
        "DynamoDB has no ranks: use a store with ranks, such as a sorted set of Redis",
    ),
    "figures": (
        kw.Aggregate(Thing, eq="owner", group=["{kind}"], measures={"sum": kw.Sum("size")}),
        "DynamoDB has no aggregates over groups: maintain them in separate items, or read another store",
    ),
    "a queue": (kw.Take(Thing, eq="owner"), "DynamoDB has no operation that takes items: use a stream or a queue"),
    "what the index does not hold": (
        kw.Count(Thing, eq="kind", where={"price": kw.AtLeast(1)}),
        'it does not contain "price", which the filter needs',
    ),
    "half a key to write": (
        kw.Update(Thing, eq="owner", sets="size"), 'a write needs the whole key: add "at" and "id" to eq=',
    ),
    "a key that changes": (
        kw.Update(Thing, sets="owner"),
        '"owner" is part of the key, which never changes: delete the item and put another',
    ),
    "a number in a key that is added to": (kw.Increment(Thing, "price"), ""),
    "a push into what may be null": (
        kw.Update(Thing, pushes="nullable"), '"nullable" may be stored as null, which cannot be incremented',
    ),
    "removing what must be there": (
        kw.Update(Thing, unset="size"), '"size" has no default, so it cannot be removed',
    ),
    "inside of a list": (
        kw.Update(Thing, sets="inner.name"), '"inner.name" is inside a list or map: set the whole field',
    ),
}  # fmt: skip


def declared(pattern: Any) -> Plans:
    return plans(table=table, Thing=Thing, Other=Other, asked=pattern)


@pytest.mark.parametrize("case", REFUSED)
def test_a_pattern_is_refused_for_the_reason_of_the_nearest_key(case: str) -> None:
    pattern, reason = REFUSED[case]
    path = declared(pattern).plan("asked").path
    assert (path.reason if isinstance(path, NotServed) else "") == reason


class Charge(BaseModel):
    __store__: ClassVar = kw.Item(kw.DynamoTable("charges"), pk="TENANT#{tenant}", sk="CHARGE#{month}#{charge_id}")

    tenant: str
    month: Annotated[str, Field(pattern=r"^\d{4}-\d{2}$")]
    charge_id: Annotated[str, Field(max_length=20)]


def test_texts_of_one_length_give_an_order_before_other_text() -> None:
    created = plans(Charge=Charge, asked=kw.Read(Charge, eq="tenant", order="-month", limit=5))
    assert created.path("asked").order == "index"


def test_every_candidate_is_explained() -> None:
    path = declared(kw.Get(Thing, eq="id")).plan("asked").path
    assert isinstance(path, NotServed)
    assert {str(rejected.by): rejected.reason for rejected in path.rejected} == {
        "table things": 'the pattern has no equality on "owner"',
        "lsi by_size": 'the pattern has no equality on "owner"',
        "gsi bare": 'the pattern has no equality on "note"',
        "gsi narrow": "",
        "gsi shared": "it contains only items with kind in ('a', 'b'): add the condition to where=",
    } | {"gsi narrow": next(rejected.reason for rejected in path.rejected if rejected.by.name == "narrow")}


def test_a_path_that_reads_items_twice_gives_way_to_one_that_does_not() -> None:
    created = declared(kw.Read(Thing, eq="owner", limit=5))
    planned = created.plan("asked")
    assert isinstance(planned.path, AccessPath)
    assert str(planned.path.by) == "table things"
    reasons = {str(other.by): getattr(other, "reason", "") for other in planned.others}
    assert reasons["lsi by_size"] == "it reads each item a second time, which table things does not"


def test_an_index_alone_answers_what_it_holds() -> None:
    path = declared(kw.Read(Thing, eq="kind", order="size", limit=5, fields=["at", "size"])).path("asked")
    assert isinstance(path.call, QueryItems)
    assert (path.by.name, path.call.fetches, path.call.attributes) == ("narrow", False, ("at", "size"))
    # The other entity has the same fields; the beginning of its key tells it apart, which every entry holds.
    assert path.call.head == ("pk", "O#")
    access_path = declared(kw.Read(Thing, eq="kind", order="size", limit=5)).path("asked")
    assert isinstance(access_path.call, QueryItems)
    assert access_path.call.fetches
    assert 'the index lacks "id": items are read from the table by its keys' in access_path.notes


def test_an_index_without_the_condition_of_the_pattern_holds_what_fulfils_it() -> None:
    path = declared(kw.Get(Thing, eq="id", where={"kind": "a"})).path("asked")
    assert (str(path.by), tuple(map(str, path.residual))) == ("gsi shared", ("kind = 'a'",))
    path = declared(kw.Get(Thing, eq="id", where={"kind": kw.OneOf(["b", "a"])})).path("asked")
    assert (str(path.by), path.residual) == ("gsi shared", ())


class Series(BaseModel):
    __store__: ClassVar = kw.Item(
        kw.DynamoTable("series", discriminator=None), pk="S#{name}#{at:date}#{name:shard(2)}", sk="{at:iso}"
    )

    name: str
    at: datetime


@pytest.mark.parametrize(
    ("pattern", "fan_out", "order"),
    [
        (kw.Read(Series, eq="name", range="at", span=timedelta(days=2), order="-at", limit=5), 3, "index"),
        (kw.Read(Series, eq="name", range="at", fan_out=9, limit=5), 9, "none"),
        (kw.Read(Series, eq="name", order="-at", fan_out=4, limit=5), 4, "index"),
        (
            kw.Read(Series, one_of="name", range="at", span=timedelta(days=1), order="at", fan_out=3, limit=5),
            6,
            "merge",
        ),
    ],
)
def test_buckets_of_time_are_asked_one_by_one(pattern: Any, fan_out: int, order: str) -> None:
    path = plans(Series=Series, asked=pattern).path("asked")
    assert (path.order, path.fan_out) == (order, fan_out)


def test_an_unbounded_range_of_buckets_is_refused() -> None:
    path = plans(Series=Series, asked=kw.Read(Series, eq="name", range="at", limit=5)).plan("asked").path
    assert isinstance(path, NotServed)
    assert path.reason == 'the pattern has no span=, which limits the buckets of "at" are counted'


class Drawn(BaseModel):
    __store__: ClassVar = kw.Item(kw.DynamoTable("drawn", sk=None), pk="D#{name}#{:shard(4)}")

    name: str
    left: int


def test_a_key_that_is_drawn_says_nothing_of_the_others() -> None:
    created = plans(Drawn=Drawn, put=kw.Put(Drawn, if_absent=True), drop=kw.Delete(Drawn, where={"left": 0}))
    shards = "its key contains one of 4 shards at random"
    assert created.verdict("put") == f"{shards}: a check of one does not cover the others"
    assert created.verdict("drop") == f"{shards}, and the condition may apply to each"


def test_a_transaction_takes_a_hundred_writes() -> None:
    part = kw.Increment(Drawn, "left", batch=60)
    created = plans(Drawn=Drawn, fits=kw.Transact([part]), too_many=kw.Transact([part, part]))
    assert created.path("fits").by.kind == "table"
    assert created.verdict("too_many") == (
        "it writes 120 items, DynamoDB allows 100 in a transaction: split it, or lower batch="
    )


def test_an_update_of_an_indexed_item_needs_no_key_of_a_sparse_index() -> None:
    index, named = kw.Gsi("index", pk="gpk", sk="gsk"), kw.Gsi("named", pk="npk")
    store = kw.DynamoTable("made", gsis=[index, named])

    class Made(BaseModel):
        __store__: ClassVar = kw.Item(
            store, pk="M#{id}", sk="M",
            gsis=[index.key(pk="C#{c}", sk="{d}", where={"e": kw.OneOf([1, 2])}), named.key(pk="N#{name}#{d}")],
        )  # fmt: skip

        id: str
        c: str
        d: str
        e: int
        name: str | None = None

    created = plans(
        store=store, Made=Made, inside=kw.Update(Made, sets="e", where={"e": 1}), enters=kw.Update(Made, sets="e"),
        moves=kw.Update(Made, sets=["c", "e"], where={"e": 1}), unnamed=kw.Update(Made, unset="name"),
        outside=kw.Update(Made, sets="e", where={"e": kw.AtLeast(2)}),
    )  # fmt: skip
    for name in ("inside", "unnamed"):
        call = created.path(name).call
        assert isinstance(call, UpdateItem)
        assert [attribute.is_kept for attribute in call.template_attributes] == [True]
    for name in ("enters", "outside", "moves"):
        assert 'the key in index "index" cannot be computed again without' in created.verdict(name)


def test_an_update_carries_what_the_keys_of_indexes_are_made_of() -> None:
    index = kw.Gsi("index", pk="gpk", sk="gsk")
    store = kw.DynamoTable("made", gsis=[index])

    class Made(BaseModel):
        __store__: ClassVar = kw.Item(
            store, pk="M#{id}", sk="M", computed={"both": "{a}-{b}"},
            gsis=[index.key(pk="C#{c}", sk="{d}", where={"e": True})],
        )  # fmt: skip

        id: str
        a: str
        b: str
        c: str
        d: str
        e: bool
        n: int = 0

    created = plans(
        store=store, Made=Made, part=kw.Update(Made, sets="a"), all=kw.Update(Made, sets=["a", "b"]),
        known=kw.Update(Made, eq=["id", "b"], sets="a"), flag=kw.Update(Made, sets="e"),
        free=kw.Update(Made, sets="n"), both=kw.Update(Made, sets=["c", "a"]),
    )  # fmt: skip
    assert created.verdict("part") == 'attribute "both" cannot be computed again without "b": add it to eq= or sets='
    assert created.verdict("flag") == (
        'the key in index "index" cannot be computed again without "c" and "d": add them to eq= or sets='
    )
    assert created.verdict("both") == (
        'attribute "both" and the key in index "index" cannot be computed again without "b", "d" and "e": '
        "add them to eq= or sets="
    )
    for name, count in (("all", 1), ("known", 1), ("free", 0)):
        call = created.path(name).call
        assert isinstance(call, UpdateItem)
        assert len(call.template_attributes) == count
    update_item = created.path("known").call
    assert isinstance(update_item, UpdateItem)
    assert [str(guard) for guard in update_item.guards] == ["b = :b"]


def test_a_target_without_a_shape_serves_nothing() -> None:
    created = PATTERNED
    live = ENGINE.parse({**ENGINE.describe(created.tables["tasks"]), "shape": {}})
    assert isinstance(live, TableTarget)
    (result,) = ENGINE.paths(live, created.bindings["Task"], created.patterns["task"])
    assert getattr(result, "reason", "") == 'the table has no entity "Task"'


def test_the_fields_of_a_key_come_in_its_order() -> None:
    fields = {
        name: ENGINE.key_fields(PATTERNED.tables[binding.physical.name], binding)
        for name, binding in PATTERNED.bindings.items()
    }
    assert fields == {
        "Task": ("team", "due", "task_id"), "Note": ("team", "number"), "Stock": ("sku",), "Offer": ("sku", "day"),
        "Reading": ("sensor", "at"), "Event": ("number",),
    }  # fmt: skip


def test_a_plan_survives_the_description_of_its_table() -> None:
    for name in PATTERNED.patterns:
        planned = PATTERNED.plan(name)
        again = ENGINE.parse(ENGINE.describe(planned.target))
        assert again == planned.target
        if not planned.parts:
            assert (*ENGINE.paths(again, planned.binding, planned.pattern),) == (
                *ENGINE.paths(planned.target, planned.binding, planned.pattern),
            )


def test_module_names_are_those_of_the_models() -> None:
    assert isinstance(patterned, ModuleType)
