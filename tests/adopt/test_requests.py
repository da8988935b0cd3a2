"""Requests that servers remember, as forms without values."""

import re
from datetime import UTC, datetime
from typing import Any

import pytest

from keywright.engines.cassandra.adopt.cql_statement import read_statement, table_of
from keywright.engines.cassandra.adopt.cql_tokens import UnexpectedToken
from keywright.engines.contract.adoption import Sample
from keywright.engines.contract.observer import Remembered
from keywright.engines.contract.requests import SeenRequest
from keywright.engines.mongodb.adopt.profile import requested
from keywright.engines.mongodb.declare.options import Collection, MongoDatabase
from keywright.errors import NOWHERE
from keywright.ir.binding import Binding, Physical
from keywright.ir.entity import Entity
from keywright.record import replace


def cql(text: str) -> SeenRequest | None:
    return read_statement(text, {"hits"})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("SELECT * FROM t WHERE a = ?", SeenRequest(kind="read", eq=("a",), evidence="SELECT WHERE a = ?")),
        ("select a, b from s.t where a = :a and b in (1, 2) limit ?",
         SeenRequest(kind="read", eq=("a",), one_of=("b",), evidence="SELECT WHERE a = ? AND b IN ?")),
        ("SELECT * FROM t WHERE a = 5132b130-ae79-11e4-ab27-0800200c9a66 AND b > 0xCAFE ORDER BY b DESC, c ASC LIMIT 7",
         SeenRequest(kind="read", eq=("a",), range="b", excludes="first", order=("-b", "c"), limit=7,
                     evidence="SELECT WHERE a = ? AND b > ? ORDER BY b DESC, c")),
        ("SELECT * FROM t WHERE a = toDate(now()) AND b > ? AND b < {'x': [1, 2]}",
         SeenRequest(kind="read", eq=("a",), range="b", excludes="both",
                     evidence="SELECT WHERE a = ? AND b > ? AND b < ?")),
        ('SELECT "Odd Name" FROM t WHERE tags CONTAINS \'ann\'',
         SeenRequest(kind="read", contains="tags", evidence="SELECT WHERE tags CONTAINS ?")),
        ("SELECT * FROM t ORDER BY v ANN OF ? LIMIT 5",
         SeenRequest(kind="read", near="v", limit=5, evidence="SELECT ORDER BY v ANN OF ?")),
        ("SELECT COUNT(1) FROM t", SeenRequest(kind="count", evidence="SELECT COUNT(*)")),
        ("INSERT INTO t JSON ?", SeenRequest(kind="put", evidence="INSERT")),
        ("UPDATE t USING TTL ? SET a = 'ann', b = ? WHERE id = ?",
         SeenRequest(kind="update", eq=("id",), sets=("a", "b"), is_ttl_given=True,
                     evidence="UPDATE USING TTL ? SET a, b WHERE id = ?")),
        ("UPDATE t SET hits = hits + 5 WHERE id = ?",
         SeenRequest(kind="increment", eq=("id",), field="hits", evidence="UPDATE SET hits WHERE id = ?")),
        ("DELETE a, b FROM t USING TIMESTAMP ? WHERE id = ?",
         SeenRequest(kind="update", eq=("id",), unset=("a", "b"), evidence="DELETE a, b WHERE id = ?")),
    ],
)  # fmt: skip
def test_a_statement_of_cql_is_read_without_its_values(text: str, expected: SeenRequest) -> None:
    evidence = f"from a prepared statement: {expected.evidence}"
    assert cql(text) == replace(expected, evidence=evidence)


@pytest.mark.parametrize(
    "text",
    [
        "SELECT * FROM t WHERE token(a) > ?", "SELECT * FROM t WHERE (a, b) > (?, ?)", "SELECT DISTINCT a FROM t",
        "SELECT max(a) FROM t", "SELECT * FROM t WHERE a = ? GROUP BY b", "SELECT * FROM t PER PARTITION LIMIT 1",
        "SELECT * FROM t WHERE m CONTAINS KEY ?", "SELECT * FROM t WHERE a > ? AND b < ?", "SELECT * FROM t WHERE a",
        "SELECT * FROM t WHERE a LIKE ?", "SELECT * FROM t WHERE a = (((", "UPDATE t SET a = a + ? WHERE id = ?",
        "UPDATE t SET a[1] = ? WHERE id = ?", "UPDATE t SET a = ? WHERE id = ? IF b = 'ann'", "UPDATE t",
        "DELETE a[1] FROM t WHERE id = ?", "SELECT",
    ],
)  # fmt: skip
def test_statements_without_a_pattern_are_left_out(text: str) -> None:
    with pytest.raises(UnexpectedToken):
        cql(text)


@pytest.mark.parametrize("text", ["", ";", "BEGIN BATCH INSERT INTO t (a) VALUES (?); APPLY BATCH", "CREATE TABLE t"])
def test_other_texts_are_no_requests(text: str) -> None:
    assert cql(text) is None
    assert table_of(text) == ("", "")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('SELECT a FROM "S".t', ("S", "t")),
        ("INSERT INTO t (a) VALUES (?)", ("", "t")),
        ("update s.T SET a = ?", ("s", "t")),
        ("DELETE FROM s.t WHERE", ("s", "t")),
        ("SELECT a", ("", "")),
    ],
)
def test_the_table_of_a_statement(text: str, expected: tuple[str, str]) -> None:
    assert table_of(text) == expected


def profiled(*entries: dict[str, Any], seconds: float = 7200.0, level: int = 2) -> list[SeenRequest]:
    database = MongoDatabase("shop")
    physical = Physical("mongodb", "shop", "shop", database, NOWHERE)
    binding: Binding[Any] = Binding(
        "Order", Entity("Order", "", "", ()), physical, Collection(database, "orders"), {}, {}, NOWHERE
    )
    remembered = Remembered(entries, {"seconds": seconds, "level": level})
    return list(requested(binding, Sample(remembered=remembered)))


def find(filter: Any, **words: Any) -> dict[str, Any]:
    return {"op": "query", "command": {"find": "orders", "filter": filter, **words}}


ONCE = "in system.profile 1 time in 2 hours"


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        (find({"b": "ann", "a": 5}, sort={"c": -1, "d": 1}, limit=-10),
         SeenRequest(kind="read", eq=("a", "b"), order=("-c", "d"), limit=10, evidence=ONCE)),
        (find({"$and": [{"a": {"$eq": 1}}, {"at": {"$gt": 1, "$lt": 2}}], "$comment": "x", "b": {"$in": [1]}}),
         SeenRequest(kind="read", eq=("a",), one_of=("b",), range="at", excludes="both", evidence=ONCE)),
        (find({}), SeenRequest(kind="read", evidence=ONCE)),
        (find({"address": {"city": "x"}}), SeenRequest(kind="read", eq=("address",), evidence=ONCE)),
        ({"op": "command", "command": {"count": "orders", "query": {"a": 1}}},
         SeenRequest(kind="count", eq=("a",), evidence=ONCE)),
        ({"op": "command", "command": {"aggregate": "orders", "pipeline": [{"$match": {"a": 1}}, {"$count": "n"}]}},
         SeenRequest(kind="count", eq=("a",), evidence=ONCE)),
        ({"op": "update", "command": {"q": {"_id": 1}, "u": {"a": 1, "b": 2}}}, SeenRequest(kind="put", evidence=ONCE)),
        ({"op": "update", "command": {"q": {"a": 1}, "u": {"$set": {"b": 1}, "$unset": {"c": ""}}}},
         SeenRequest(kind="update", eq=("a",), sets=("b",), unset=("c",), evidence=ONCE)),
        ({"op": "command", "command": {"findAndModify": "orders", "query": {"_id": 1}, "update": {"$inc": {"n": 5}}}},
         SeenRequest(kind="increment", eq=("_id",), field="n", evidence=ONCE)),
        ({"op": "command", "command": {"findAndModify": "orders", "query": {"_id": 1}, "remove": True}},
         SeenRequest(kind="delete", eq=("_id",), evidence=ONCE)),
    ],
)  # fmt: skip
def test_an_entry_of_the_profiler_is_read_without_its_values(entry: dict[str, Any], expected: SeenRequest) -> None:
    assert profiled(entry) == [expected]


@pytest.mark.parametrize(
    "entry",
    [
        find({"$or": [{"a": 1}]}), find({"a": {"$ne": 1}}), find({"a": re.compile("^x")}), find({"$where": "x"}),
        find({"a": {"$gt": 1}, "b": {"$lt": 1}}), find({"a": 1, "$and": [{"a": 2}]}), find({"a": 1}, sort={"b": "x"}),
        find({"a": 1}, sort={"score": {"$meta": "textScore"}}), find({"$expr": {}}),
        {**find({"a": 1}), "appName": "mongosh"},
        {"op": "query", "command": {"$truncated": "{ find: ..."}}, {"op": "query", "command": "x"}, {"op": "getmore"},
        {"op": "command", "command": {"aggregate": "orders", "pipeline": [{"$sample": {"size": 5}}]}},
        {"op": "command", "command": {"aggregate": "orders", "pipeline": [{"$match": {}}, {"$lookup": {}}]}},
        {"op": "command", "command": {"aggregate": "orders", "pipeline": [{}]}},
        {"op": "update", "command": {"q": {"a": 1}, "u": {"b": 1}}},
        {"op": "update", "command": {"q": {"a": 1}, "u": [{"$set": {"b": 1}}]}},
        {"op": "update", "command": {"q": {"a": 1}, "u": {"$push": {"b": 1}}}}, {"op": "remove", "command": {}}, {},
    ],
)  # fmt: skip
def test_entries_without_a_pattern_are_left_out(entry: dict[str, Any]) -> None:
    assert profiled(entry) == []


def test_frequent_requests_come_first_and_slow_ones_are_named_so() -> None:
    entries = [find({"a": datetime(2026, 1, 1, tzinfo=UTC)}), *[find({"b": str(number)}) for number in range(1500)]]
    assert [(request.eq, request.evidence) for request in profiled(*entries, seconds=200_000, level=1)] == [
        (("b",), "in system.profile 1,500 times in 2 days, slow ones only"),
        (("a",), "in system.profile 1 time in 2 days, slow ones only"),
    ]
