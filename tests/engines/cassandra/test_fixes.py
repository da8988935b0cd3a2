"""The smallest line that lets a pattern be served: an index, where one serves well."""

from datetime import datetime
from typing import Any, Literal

import pytest
from tests.engines.cassandra.designs import a_design, a_table
from tests.engines.cassandra.planning import a_pattern, placed, planned

import keywright as kw
from keywright.access.search import plan, smallest_fix
from keywright.engines.cassandra.declare.settings import CassandraEnvironment
from keywright.engines.cassandra.engine import ENGINE
from keywright.ir.pattern import Traffic
from keywright.record import replace

FIELDS: dict[str, Any] = {
    "rank": int, "owner": str, "colour": Literal["red", "blue"], "pages": int, "at": datetime, "tags": set[str],
    "fixed": list[str], "raw": bytes, "note": str | None,
}  # fmt: skip

SHELF = a_table("shelf", FIELDS, clustering="-rank", static="owner", frozen="fixed")
"""A table without an index."""


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"eq": "sensor colour"}, 'kw.CqlIndex("colour")'),
        ({"eq": "colour"}, 'kw.CqlIndex("colour")'),
        ({"eq": "sensor", "range": "pages"}, 'kw.CqlIndex("pages")'),
        ({"eq": "sensor", "range": "at", "order": "-rank"}, 'kw.CqlIndex("at")'),
        ({"eq": "sensor", "range": "at", "order": "rank"}, None),
        ({"eq": "sensor", "range": "at", "order": "-at"}, None),
        ({"contains": "tags"}, 'kw.CqlIndex("tags")'),
        ({"eq": "sensor", "contains": "fixed"}, None),
        ({"eq": "raw"}, None),
        ({"eq": "owner"}, None),
        ({"eq": "colour pages"}, None),
        ({"eq": "sensor", "where": {"note": None}}, None),
        ({"eq": "sensor", "where": {"note": ("not", "x")}}, None),
        ({"eq": "sensor", "prefix": "note"}, None),
        ({"search": "note"}, None),
    ],
    ids=str,
)
def test_an_index_is_proposed_where_one_alone_serves(options: dict[str, Any], expected: str | None) -> None:
    result = planned(SHELF, "read", **options)
    assert not result.is_served
    fix = smallest_fix(ENGINE, result)
    assert (fix and fix.text) == expected


def test_the_target_of_a_fix_is_that_of_the_edited_model() -> None:
    edited = a_table("shelf", FIELDS, clustering="-rank", static="owner", frozen="fixed", indexes=[kw.CqlIndex("tags")])
    fix = smallest_fix(ENGINE, planned(SHELF, "read", contains="tags"))
    assert fix is not None
    assert (fix.subject, fix.argument) == ("Shelf", "indexes")
    assert fix.target == placed(edited)
    assert fix.write_cost == 1


def test_a_later_generation_has_indexes_of_its_own() -> None:
    options: dict[str, Any] = {"clustering": "-rank", "generation": 3, "static": "owner", "frozen": "fixed"}
    plain = a_table("shelf", FIELDS, **options)
    fix = smallest_fix(ENGINE, planned(plain, "read", eq="colour"))
    assert fix is not None
    assert fix.target == placed(a_table("shelf", FIELDS, **options, indexes=[kw.CqlIndex("colour")]))


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        (CassandraEnvironment(flavour="cassandra", version="4.1", datacentres={"dc1": 3}),
         'kw.CqlIndex("colour", using="legacy")'),
        (CassandraEnvironment(flavour="scylla", datacentres={"dc1": 3}), 'kw.CqlIndex("colour", using="legacy")'),
        (CassandraEnvironment(flavour="keyspaces"), None),
    ],
    ids=str,
)  # fmt: skip
def test_what_a_flavour_lacks_is_not_proposed(environment: CassandraEnvironment, expected: str | None) -> None:
    fix = smallest_fix(ENGINE, planned(SHELF, "read", placed(SHELF, environment=environment), eq="sensor colour"))
    assert (fix and fix.text) == expected


def test_every_node_is_not_asked_often() -> None:
    pattern = replace(a_pattern("read", eq="colour"), load=Traffic(per_second=100))
    result = plan(ENGINE, placed(SHELF), SHELF, pattern)
    assert smallest_fix(ENGINE, result) is None


def test_each_index_that_is_taken_away_is_proposed_again() -> None:
    expected = {"colour": "eq", "pages": "eq", "tags": "contains", "at": "eq"}
    indexes = [kw.CqlIndex(name) for name in expected]
    options: dict[str, Any] = {"clustering": "-rank", "static": "owner", "frozen": "fixed"}
    keyspace = placed(a_table("shelf", FIELDS, **options, indexes=indexes))
    for name, how in expected.items():
        rest = replace(keyspace, indexes=tuple(index for index in keyspace.indexes if index.target.find(name) < 0))
        result = plan(ENGINE, rest, SHELF, a_pattern("read", **{how: name}))
        assert not result.is_served
        fix = smallest_fix(ENGINE, result)
        assert fix is not None
        assert fix.text == f'kw.CqlIndex("{name}")'
        assert fix.target == keyspace


def test_no_counter_is_indexed() -> None:
    tally = a_table("tally", {"day": str, "hits": int}, clustering="day", counters="hits")
    assert a_design(tally)
    assert smallest_fix(ENGINE, planned(tally, "read", eq="day")) is None
