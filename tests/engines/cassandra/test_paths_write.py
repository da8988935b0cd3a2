"""Which writes of a table are served, and what the others lack."""

from datetime import datetime, timedelta
from typing import Annotated, Any

import pytest
from pydantic import BaseModel, Field
from tests.engines.cassandra.designs import a_table
from tests.engines.cassandra.planning import a_pattern, placed, planned, together, verdict

from keywright.access.path import AccessPath
from keywright.engines.cassandra.access.calls_write import Batch, DeleteRows, UpdateRow
from keywright.engines.cassandra.access.paths.plan import KINDS
from keywright.engines.cassandra.engine import ENGINE


class Place(BaseModel):
    street: str
    town: str


ORDERS = a_table(
    "orders",
    {"at": datetime, "id": str, "total": int, "note": str | None, "place": Place, "loose": Place, "tags": list[str],
     "few": Annotated[list[str], Field(max_length=3)], "fixed": list[str], "shop": str},
    partition=["sensor", "month"],
    clustering=["-at", "id"],
    computed={"month": "{at:month}", "label": "{note}/{total}"},
    static="shop",
    unfrozen="loose",
    frozen="fixed",
)  # fmt: skip
"""Everything that an update may meet."""

LOGS = a_table("logs", {"at": datetime, "n": int, "m": int}, clustering="at", ttl=timedelta(days=1))
"""Rows that expire."""

TALLY = a_table("tally", {"day": str, "hits": int, "misses": int}, clustering="day", counters=["hits", "misses"])
"""Counters."""

DRAWN = a_table("drawn", {"n": int}, partition=["sensor", "shard"], computed={"shard": "{:shard(4)}"}, counters="n")
"""A counter whose steps are spread."""

SHARDED = a_table(
    "sharded",
    {"id": str, "at": datetime},
    partition=["sensor", "shard"],
    clustering=["at", "id"],
    computed={"shard": "{id:shard(3)}"},
)
"""A field that is in the key as a shard and as itself."""

SPARE = a_table("spare", {"place": Place | None}, partition="sensor", unfrozen="place")
"""An embedded model that may be left out."""

LOOSE = a_table("free", {"n": int | None}, partition="sensor")
"""No field beside the key is required."""

WRITES: tuple[tuple[Any, str, dict[str, Any], str], ...] = (
    (ORDERS, "put", {}, "table orders, none, 1"),
    (ORDERS, "put", {"if_absent": True, "batch": 3}, "table orders, none, 3"),
    (TALLY, "put", {}, '"hits" is a counter, which cannot be set: use kw.Increment'),
    (ORDERS, "update", {"sets": "total note"}, "table orders, none, 1"),
    (ORDERS, "update", {"sets": "total"}, '"label" is computed and needs "note": add it to sets= or eq='),
    (ORDERS, "update", {"eq": "sensor at", "sets": "tags"}, 'the key needs "id": add it to eq='),
    (ORDERS, "update", {"eq": "sensor month id", "sets": "tags"}, 'the key needs "at": add it to eq='),
    (ORDERS, "update", {"sets": "id"}, '"id" is part of the key, and a key never changes: delete and put'),
    (ORDERS, "update", {"sets": "at"}, '"at" is part of the key, and a key never changes: delete and put'),
    (ORDERS, "update", {"pushes": "tags"}, "table orders, none, 1"),
    (ORDERS, "update", {"pushes": "fixed"},
     '"fixed" is frozen and written as a whole: remove it from frozen=, or set it'),
    (ORDERS, "update", {"sets": "place.town"},
     '"place" is written as a whole: set it, or declare unfrozen="place" to set "place.town" alone'),
    (ORDERS, "update", {"sets": "loose.town"}, "table orders, none, 1"),
    (SPARE, "update", {"sets": "place.town"},
     '"place.town" is inside a field that may be None: set the whole field'),
    (ORDERS, "update", {"sets": "shop"}, "table orders, none, 1"),
    (ORDERS, "update", {"sets": "tags", "where": {"total": ("at_least", 3)}}, "table orders, none, 1"),
    (ORDERS, "update", {"sets": "tags", "where": {"tags": ("present",)}},
     'the server cannot check whether "tags" present a value'),
    (ORDERS, "update", {}, "it changes nothing: add sets=, unset= or pushes="),
    (LOOSE, "update", {"sets": "n", "where": {"n": ("not", 3)}},
     "no field is required, which a condition needs to test that the row exists: make one required"),
    (LOOSE, "update", {"sets": "n", "where": {"n": ("below", 3)}}, "table free, none, 1"),
    (LOGS, "update", {"sets": "n"},
     'rows expire, and the changed columns would outlive "m": put the whole item instead'),
    (LOGS, "update", {"sets": "n m"}, "table logs, none, 1"),
    (TALLY, "update", {"sets": "hits"},
     "a counter cannot be set, and its table contains only counters: use kw.Increment"),
    (TALLY, "increment", {"field": "hits"}, "table tally, none, 1"),
    (TALLY, "increment", {"field": "hits", "where": {"misses": ("below", 3)}},
     "a counter has no conditions: enforce the limit in the application, or use a plain column"),
    (DRAWN, "increment", {"field": "n", "eq": "sensor"}, "table drawn, none, 1"),
    (ORDERS, "increment", {"field": "total"},

     '"total" is not a counter, which Cassandra needs for this: declare counters="total", or use kw.Update with where= '
     "on the value that was read"),
    (ORDERS, "delete", {}, "table orders, none, 1"),
    (ORDERS, "delete", {"eq": "sensor month"}, "table orders, none, 1"),
    (ORDERS, "delete", {"eq": "sensor"},
     'the pattern has no range on "at", which divides the key by month'),
    (ORDERS, "delete", {"eq": "sensor month id"},
     '"id" follows a part of the key without an equality condition'),
    (ORDERS, "delete", {"where": {"total": 3}}, "table orders, none, 1"),
    (ORDERS, "delete", {"eq": "sensor month", "where": {"total": 3}},
     'a condition on "total" needs the full primary key in eq='),
    (DRAWN, "delete", {"eq": "sensor"}, "table drawn, none, 4"),
    (SHARDED, "delete", {"eq": "sensor id"},
     '"id" follows a part of the key without an equality condition'),
    (SHARDED, "delete", {"eq": "sensor shard"}, "table sharded, none, 1"),
    (SHARDED, "delete", {"eq": "sensor at id"}, "table sharded, none, 1"),
    (ORDERS, "rank", {"order": "-at"}, "Cassandra has no ranks: use a RedisSortedSet"),
    (ORDERS, "rank_around", {"order": "-at"}, "Cassandra has no ranks: use a RedisSortedSet"),
)  # fmt: skip
"""Table, kind, pattern, verdict."""


@pytest.mark.parametrize(("table", "kind", "options", "expected"), WRITES, ids=lambda value: str(value)[:60])
def test_a_write_is_served_or_not(table: Any, kind: Any, options: dict[str, Any], expected: str) -> None:
    assert verdict(planned(table, kind, **options)) == expected


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_pattern_has_an_answer(kind: Any) -> None:
    assert list(ENGINE.paths(placed(ORDERS), ORDERS, a_pattern(kind, eq="sensor", field="total")))


def test_a_bounded_list_is_pushed_to_while_its_last_place_is_free() -> None:
    path = planned(ORDERS, "update", pushes="few").path
    assert isinstance(path, AccessPath)
    assert isinstance(path.call, UpdateRow)
    assert [guard.element for guard in path.call.guards if guard.element is not None] == [2]


def test_a_drawn_shard_is_deleted_from_all_shards() -> None:
    path = planned(DRAWN, "delete", eq="sensor").path
    assert isinstance(path, AccessPath)
    assert isinstance(path.call, DeleteRows)
    assert path.fan_out == 4


def test_an_item_that_a_bucket_alone_tells_apart_is_looked_at_before_it_is_removed() -> None:
    daily = a_table("daily", {"at": datetime, "id": str}, partition=["sensor", "day"], clustering="id",
                    computed={"day": "{at:date}"})  # fmt: skip
    path = planned(daily, "delete").path
    assert isinstance(path, AccessPath)
    assert isinstance(path.call, DeleteRows)
    assert ([guard.cell.name for guard in path.call.guards], path.call.refuses) == (["at"], False)


def test_an_entity_that_is_not_in_the_keyspace_is_not_served() -> None:
    result = planned(ORDERS, "put", target=placed(LOGS))
    assert verdict(result) == 'keyspace "metrics" has no table for "Orders"'


def test_puts_into_several_tables_are_one_logged_batch() -> None:
    target = placed(ORDERS, LOGS)
    result = together(target, (ORDERS, a_pattern("put", "a")), (LOGS, a_pattern("put", "b", batch=2)))
    assert verdict(result) == "table logs and orders, none, 3"
    assert isinstance(result.path, AccessPath)
    assert isinstance(result.path.call, Batch)
    assert not result.path.call.is_conditional


def test_conditions_do_not_reach_over_two_tables() -> None:
    target = placed(ORDERS, LOGS)
    result = together(target, (ORDERS, a_pattern("put", "a", if_absent=True)), (LOGS, a_pattern("put", "b")))
    assert verdict(result) == (
        'conditions apply only within one partition, and "logs" and "orders" are several tables: put whole items'
    )


def test_a_condition_in_one_table_is_held_inside_one_partition() -> None:
    target = placed(ORDERS)
    result = together(
        target, (ORDERS, a_pattern("put", "a", if_absent=True)), (ORDERS, a_pattern("update", "b", sets="tags"))
    )
    assert verdict(result) == "table orders, none, 1"


def test_counters_are_in_no_transaction() -> None:
    target = placed(ORDERS, TALLY)
    result = together(target, (ORDERS, a_pattern("put", "a")), (TALLY, a_pattern("increment", "b", field="hits")))
    assert verdict(result) == '"hits" is a counter, and increments cannot be reverted: remove it'


def test_keys_are_told_by_the_fields_that_they_are_made_from() -> None:
    assert ENGINE.key_fields(placed(ORDERS), ORDERS) == ("sensor", "at", "id")
