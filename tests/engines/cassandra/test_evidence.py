"""What evidence is taken for, where it disagrees with the path."""

from datetime import datetime
from typing import Any

import pytest
from tests.engines.cassandra.designs import a_table
from tests.engines.cassandra.planning import a_pattern, placed, planned, together

import keywright as kw
from keywright.engines.cassandra.engine import ENGINE
from keywright.engines.interface import ClientEvent

SERIES = a_table(
    "series",
    {"at": datetime, "id": str, "kind": str},
    partition=["sensor", "shard"],
    clustering=["-at", "id"],
    computed={"shard": "{id:shard(3)}"},
    indexes=[kw.CqlIndex("kind")],
)


def an_event(statement: str = "SELECT sensor FROM metrics.series WHERE sensor = ?", **told: Any) -> ClientEvent:
    return {"statement": statement, "parameters": 1, "level": "LOCAL_ONE", **told}


def reading(rows: int, *more: str) -> list[list[str]]:
    return [["Executing single-partition query on series", f"Read {rows} live rows and 0 tombstone cells", *more]]


MERGED = [an_event(token=token, traces=reading(3)) for token in range(3)]
"""What a merge of three shards leaves."""


@pytest.mark.parametrize(
    ("events", "returned", "expected"),
    [
        (MERGED, 9, []),
        ([an_event(token=token) for token in range(3)], 9, []),
        (MERGED[:2], 6, ["2 of 3 partitions were read"]),
        ([*MERGED, an_event(token=7)], 9, ["4 partitions were read, but the path has 3"]),
        ([an_event(token=token, traces=reading(20)) for token in range(3)], 9,
         ["60 rows were read, but the path reads at most 33"]),
        ([an_event("SELECT sensor FROM metrics.series ALLOW FILTERING")], 1, ["a statement allows filtering"]),
        ([an_event("SELECT sensor FROM metrics.others")], 1,
         ["a statement does not read metrics.series: SELECT sensor FROM metrics.others"]),
        ([an_event(level="ONE")], 1, ["a statement was sent at ONE, not at LOCAL_ONE"]),
        ([an_event(traces=[["Executing seq scan across 1 sstables"]])], 0,
         ["the server scanned ranges of partitions, although the partition is known"]),
        ([an_event(traces=[["Computing ranges to query"]])], 0,
         ["the server scanned ranges of partitions, although the partition is known"]),
        ([], 3, ["3 items were returned, but nothing was requested"]),
        ([], 0, []),
    ],
)  # fmt: skip
def test_a_merge_is_judged(events: list[ClientEvent], returned: int, expected: list[str]) -> None:
    result = planned(SERIES, "read", eq="sensor", order="-at", limit=10)
    assert list(ENGINE.verify_evidence(result, tuple(events), returned)) == expected


@pytest.mark.parametrize(
    ("activities", "expected"),
    [
        (["Computing ranges to query", "Executing read on metrics.series using index series_kind_idx",
          "Read 3 live rows and 0 tombstone cells"], []),
        (["Executing seq scan across 1 sstables"],
         ["the server scanned all rows, although an index serves the pattern",
          'no index was used, instead of "series_kind_idx"']),
        (["Executing read on metrics.series using index other_idx"],
         ['the index other_idx was used, but "series_kind_idx" was planned']),
        (["Executing read on metrics.series using index series_kind_idx", "Read 30 live rows and 0 tombstone cells"],
         ["30 rows were read, but the path reads at most 6", "30 rows were read for 3 that were returned"]),
        ([], []),
    ],
    ids=str,
)  # fmt: skip
def test_an_index_is_judged(activities: list[str], expected: list[str]) -> None:
    result = planned(SERIES, "read", eq="kind", limit=5)
    assert list(ENGINE.verify_evidence(result, (an_event(traces=[activities]),), 3)) == expected


def test_writes_are_judged_by_their_statements() -> None:
    put = planned(SERIES, "put", if_absent=True)
    right = an_event("INSERT INTO metrics.series (sensor) VALUES (?) IF NOT EXISTS", level="LOCAL_QUORUM")
    assert list(ENGINE.verify_evidence(put, (right,), 0)) == []
    wrong = an_event("UPDATE metrics.series SET kind = ? WHERE sensor = ?", level="LOCAL_ONE")
    assert list(ENGINE.verify_evidence(put, (wrong,), 0)) == [
        "a statement is not INSERT",
        "a statement has no condition, but the path has one",
        "a statement was sent at LOCAL_ONE, not at LOCAL_QUORUM",
    ]


def test_a_delete_stays_in_its_partitions() -> None:
    result = planned(SERIES, "delete", eq="sensor")
    events = [an_event("DELETE FROM metrics.series", level="LOCAL_QUORUM", token=token) for token in range(4)]
    assert list(ENGINE.verify_evidence(result, tuple(events[:3]), 0)) == []
    assert list(ENGINE.verify_evidence(result, tuple(events), 0)) == ["4 partitions were written, but the path has 3"]


def test_a_transaction_is_one_batch() -> None:
    result = together(placed(SERIES), (SERIES, a_pattern("put", "a")), (SERIES, a_pattern("delete", "b")))
    batch = an_event("BATCH", level="LOCAL_QUORUM")
    assert list(ENGINE.verify_evidence(result, (batch,), 0)) == []
    assert list(ENGINE.verify_evidence(result, (batch, batch), 0)) == ["the writes were not sent as one batch"]
