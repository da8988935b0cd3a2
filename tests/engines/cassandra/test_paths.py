"""Which patterns of a table are served, by what and in which order; and why the others are not."""

from datetime import date, datetime
from typing import Any, Literal
from uuid import UUID

import pytest
from tests.engines.cassandra.designs import a_table
from tests.engines.cassandra.planning import planned, verdict

import keywright as kw

SERIES = a_table(
    "series",
    {"at": datetime, "id": str, "value": int},
    partition=["sensor", "day", "shard"],
    clustering=["-at", "id"],
    computed={"day": "{at:date}", "shard": "{id:shard(4)}"},
)
"""Two ways in which a partition is kept small."""

DAILY = a_table(
    "daily",
    {"at": datetime, "value": int},
    partition=["sensor", "day"],
    clustering="-at",
    computed={"day": "{at:date}"},
)
"""A day of a sensor is a partition."""

SHELF = a_table(
    "shelf",
    {
        "rank": int, "title": str, "owner": str, "colour": Literal["red", "blue"], "pages": int, "tags": set[str],
        "note": str | None, "key": UUID,
    },
    partition="sensor",
    clustering=["-rank", "title"],
    static="owner",
    indexes=[kw.CqlIndex("colour"), kw.CqlIndex("pages"), kw.CqlIndex("tags"), kw.CqlIndex("owner")],
)  # fmt: skip
"""Rows under a mixed order, with storage-attached indexes."""

OLD = a_table(
    "old",
    {"part": int, "c": str, "kind": str, "n": int},
    partition=["sensor", "part"],
    clustering="c",
    indexes=[kw.CqlIndex("kind", using="legacy"), kw.CqlIndex("n", using="legacy")],
)
"""Indexes of the old kind."""

TEXTY = a_table(
    "texty",
    {"kind": Literal["p", "q"], "at": datetime, "id": str},
    clustering="sorted",
    computed={"sorted": "{kind}#{at:iso}#{id}"},
)
"""A clustering column that a template makes."""

SEEN = a_table(
    "seen",
    {"id": str, "at": datetime, "kind": str | None},
    clustering="id",
    views=[kw.View("seen_by_time", partition="sensor", clustering=["-at", "id"]),
           kw.View("seen_by_kind", partition="sensor", clustering=["kind", "id"])],
)  # fmt: skip
"""Materialized views, one over a field that may be None."""

COMMENTS = a_table("comments", {"id": UUID, "text": str}, clustering="-id", types={"id": "timeuuid"})
"""A key with the moment in it."""

KEYED = a_table("keyed", {"id": UUID, "on": date, "n": int}, clustering=["id", "on"])
"""A key that is an uuid, whose order is not Python's."""

READS: tuple[tuple[Any, dict[str, Any], str], ...] = (
    (DAILY, {"eq": "sensor day"}, "table daily, none, 1"),
    (DAILY, {"eq": "sensor day", "order": "-at"}, "table daily, index, 1"),
    (DAILY, {"eq": "sensor day", "order": "at"}, "table daily, index, 1"),
    (DAILY, {"eq": "sensor at"}, "table daily, none, 1"),
    (DAILY, {"eq": "sensor day", "where": {"value": 3}},
     '"value" is not in the key, and a partition is never filtered: add an index or a table'),
    (DAILY, {"eq": "sensor at", "where": {"value": 3}}, "table daily, none, 1 residual value"),
    (DAILY, {"eq": "sensor", "range": "at", "span_seconds": 86_400, "order": "-at"}, "table daily, index, 2"),
    (DAILY, {"eq": "sensor", "range": "at", "fan_out": 5}, "table daily, none, 5"),
    (DAILY, {"eq": "sensor", "range": "at"},
     'the number of values of "day" in a range of "at" is unknown: add span= or fan_out='),
    (DAILY, {"eq": "sensor", "order": "-at", "fan_out": 7}, "table daily, index, 7"),
    (DAILY, {"eq": "sensor", "order": "at", "fan_out": 7},
     'the pattern has no range on "at", which divides the key by date'),
    (DAILY, {"eq": "sensor"}, 'the pattern has no range on "at", which divides the key by date'),
    (DAILY, {"eq": "day"}, 'the pattern has no equality on "sensor"'),
    (DAILY, {"one_of": "sensor", "eq": "day", "order": "-at"}, "table daily, merge, 1"),
    (DAILY, {"where": {"sensor": ("one_of", "a", "b")}, "eq": "day", "order": "-at"}, "table daily, merge, 2"),
    (DAILY, {"where": {"sensor": ("one_of", "a", "b")}, "range": "at", "span_seconds": 86_400, "order": "-at"},
     "table daily, merge, 4"),
    (DAILY, {"eq": "sensor day", "order": "value"},
     'rows are ordered by "at", not by "value": use a table clustered by it'),
    (SERIES, {"eq": "sensor", "range": "at", "span_seconds": 3_600, "order": "-at"}, "table series, merge, 8"),
    (SERIES, {"eq": "sensor day", "order": "-at"}, "table series, merge, 4"),
    (SERIES, {"eq": "sensor day id", "order": "-at"},
     '"id" follows "at" in the key, which has no equality condition'),
    (SERIES, {"eq": "sensor at id"}, "table series, none, 1"),
    (SHELF, {"eq": "sensor", "order": "-rank title"}, "table shelf, index, 1"),
    (SHELF, {"eq": "sensor", "order": "rank -title"}, "table shelf, index, 1"),
    (SHELF, {"eq": "sensor", "order": "rank title"},
     'rows are ordered by "-rank", "title", and can be read only in this order or its exact reverse'),
    (SHELF, {"eq": "sensor", "order": "title"},
     'rows are ordered by "rank", "title", and an order must start with the first'),
    (SHELF, {"eq": "sensor rank", "order": "-title"}, "table shelf, index, 1"),
    (SHELF, {"eq": "sensor", "one_of": "rank", "order": "title"}, "table shelf, merge, 1"),
    (SHELF, {"eq": "sensor", "range": "rank"}, "table shelf, none, 1"),
    (SHELF, {"eq": "sensor", "range": "title"},
     '"title" follows "rank" in the key, which has no equality condition'),
    (SHELF, {"eq": "sensor rank", "prefix": "title"}, "table shelf, none, 1"),
    (SHELF, {"eq": "sensor colour"}, "index shelf_colour_idx, none, 1"),
    (SHELF, {"eq": "sensor colour", "order": "-rank"}, "index shelf_colour_idx, index, 1"),
    (SHELF, {"eq": "sensor colour", "order": "rank"},
     '"colour" is not in the key, and a partition is never filtered: add an index or a table'),
    (SHELF, {"eq": "colour"}, "index shelf_colour_idx, none, 1"),
    (SHELF, {"eq": "colour", "range": "pages"}, "index shelf_colour_idx, none, 1"),
    (SHELF, {"eq": "colour note"},
     '"note" is not in index shelf_colour_idx, and an index and a filter cannot be combined'),
    (SHELF, {"eq": "colour", "order": "-rank"},
     'an index over all partitions has no order, and the pattern orders by "rank"'),
    (SHELF, {"contains": "tags"}, "index shelf_tags_idx, none, 1"),
    (SHELF, {"eq": "sensor", "all_of": "tags"}, "index shelf_tags_idx, none, 1 residual tags"),
    (SHELF, {"exactly": "tags"}, "index shelf_tags_idx, none, 1 residual tags"),
    (SHELF, {"eq": "owner"}, '"owner" is static: it identifies partitions, not rows'),
    (SHELF, {"eq": "sensor", "search": "title"},
     'Cassandra has no word search: store "title" in a MongoDB collection with a text index'),
    (SHELF, {"eq": "sensor rank title", "where": {"note": ("present",)}}, "table shelf, none, 1 residual note"),
    (OLD, {"eq": "kind"}, "index old_kind_idx, none, 1"),
    (OLD, {"eq": "sensor part kind", "order": "c"}, "index old_kind_idx, index, 1"),
    (OLD, {"eq": "kind n"}, '"n" is not in index old_kind_idx, and two legacy indexes cannot be combined'),
    (OLD, {"range": "n"}, 'a legacy index on "n" does not support "between"'),
    (OLD, {"eq": "sensor kind"}, 'the pattern has no equality on "part"'),
    (TEXTY, {"eq": "sensor kind", "order": "-at"}, "table texty, index, 1"),
    (TEXTY, {"eq": "sensor kind", "range": "at"}, "table texty, none, 1"),
    (TEXTY, {"eq": "sensor kind at", "prefix": "id"}, "table texty, none, 1"),
    (TEXTY, {"eq": "sensor", "range": "at"},
     '"at" is not in the key, and a partition is never filtered: add an index or a table'),
    (SEEN, {"eq": "sensor", "order": "-at"}, "view seen_by_time, index, 1"),
    (SEEN, {"eq": "sensor", "order": "-at", "consistency": "strong"},
     'rows are ordered by "id", not by "at": use a table clustered by it'),
    (SEEN, {"eq": "sensor", "order": "kind"},
     'rows are ordered by "id", not by "kind": use a table clustered by it'),
    (KEYED, {"eq": "sensor", "order": "id"},
     'the server orders "id" differently from Python: declare a text type in types='),
    (KEYED, {"eq": "sensor", "range": "id"},
     'the server orders "id" differently from Python: declare a text type in types='),
    (SHELF, {"eq": "sensor", "where": {"rank": ("not", 1)}},
     'rows are ordered by "rank", which does not serve the condition "not"'),
    (COMMENTS, {"eq": "sensor", "order": "-id"}, "table comments, index, 1"),
    (COMMENTS, {"one_of": "sensor", "order": "-id"}, "table comments, merge, 1"),
    (COMMENTS, {"eq": "sensor", "range": "id"}, "table comments, none, 1"),
    (COMMENTS, {"eq": "sensor", "range": "id", "order": "id"}, "table comments, index, 1"),
    (KEYED, {"eq": "sensor id", "order": "-on"}, "table keyed, index, 1"),
)  # fmt: skip
"""Table, pattern, verdict."""


@pytest.mark.parametrize(("table", "options", "expected"), READS, ids=lambda value: str(value)[:60])
def test_a_read_is_served_or_not(table: Any, options: dict[str, Any], expected: str) -> None:
    assert verdict(planned(table, "read", **options)) == expected
