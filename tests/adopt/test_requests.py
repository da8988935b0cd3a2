"""Requests that servers remember, as forms without values."""

import pytest

from keywright.engines.cassandra.adopt.cql_statement import read_statement, table_of
from keywright.engines.cassandra.adopt.cql_tokens import UnexpectedToken
from keywright.engines.contract.requests import SeenRequest
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
