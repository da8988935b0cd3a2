"""Bytes and costs: the worked examples, and what bands are missing."""

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

import pytest
from pydantic import Field
from tests.engines.cassandra.designs import a_table
from tests.engines.cassandra.planning import placed, planned

import keywright as kw
from keywright.access.cost import Band, exactly
from keywright.access.path import AccessPath
from keywright.engines.cassandra.access.layout import layout
from keywright.engines.cassandra.access.size import (
    book_bytes,
    cells,
    head_bytes,
    key_band,
    key_bytes,
    part_bytes,
    row_band,
    row_bytes,
    vint,
)
from keywright.engines.cassandra.engine import ENGINE

VIEWS = a_table(
    "views",
    {"viewer": UUID, "watched_at": datetime, "show": UUID, "position": Annotated[int, Field(ge=0, le=10**6)],
     "device": Literal["tv", "phone", "web"], "done": bool},
    partition=["viewer", "month"],
    clustering=["-watched_at", "show", "sensor"],
    computed={"month": "{watched_at:month}"},
)  # fmt: skip
"""Viewing history, as in the worked example, and the text that every table here has."""

DEVICES = ("tv", "phone", "web", "tv", "phone")
"""Devices in turn: 3.4 letters on average, as in the load that was measured, where they were drawn."""

DAY, MONTH = 86_400_000_000, 30 * 86_400_000_000
"""Microseconds."""


def a_load(spread: int, *, expires: bool) -> int:
    """Bytes of 3,000 rows in one partition, written evenly over a time in descending order."""
    total, previous = head_bytes(key_bytes((16, 7))), 0
    for at in range(3_000):
        # Rows are kept from the newest to the oldest.
        delta = (2_999 - at) * (spread // 3_000)
        values = (4, 1 + len(DEVICES[at % 5]), 1)
        size = row_bytes(
            (8, 16), values, previous=previous, timestamp_delta=delta, expiry_deltas=(0, 0) if expires else None
        )
        total, previous = total + size, size
    return total


def test_a_composite_key_has_lengths_and_signs() -> None:
    assert (key_bytes((16, 7)), head_bytes(29), key_bytes((16,))) == (29, 44, 16)


@pytest.mark.parametrize(
    ("spread", "expires", "measured"),
    [(MONTH, False, 139_244), (DAY, False, 138_047), (DAY, True, 144_047), (MONTH, True, 145_244)],
)
def test_a_partition_has_the_bytes_of_its_file(spread: int, expires: bool, measured: int) -> None:
    """Sizes of `Data.db` of 5.0.5, to 2 bytes in 100 rows: what was drawn is not known row by row."""
    assert abs(a_load(spread, expires=expires) - measured) < 60


@pytest.mark.parametrize(("value", "bytes_"), [(0, 1), (127, 1), (128, 2), (2**35 - 1, 5), (2**63, 9)])
def test_a_number_of_variable_length(value: int, bytes_: int) -> None:
    assert vint(value) == bytes_


def test_the_book_counts_cells_and_eight_bytes_for_each() -> None:
    result = cells(3_000, columns=7, key_columns=4, static_columns=0)
    assert (result, book_bytes(23, 0, 24, 8, 3_000, result)) == (9_000, 23 + 3_000 * 32 + 72_000)


def test_a_row_is_a_band_around_what_was_measured() -> None:
    known = layout(placed(VIEWS), VIEWS)
    assert known is not None
    row = row_band(known, "Views")
    assert (row.low, row.expected, row.high) == (41, None, None)
    assert row.missing == {"Views.sensor: Field(max_length=) or Size(max=)"}
    assert key_band(known, "Views") == exactly(29)


@pytest.mark.parametrize(
    ("kind", "options", "expected"),
    [
        (bool, {}, exactly(1)),
        (int, {}, exactly(8)),
        (int, {"types": {"value": "smallint"}}, exactly(3)),
        (int, {"types": {"value": "tinyint"}}, exactly(2)),
        (datetime, {}, exactly(8)),
        (UUID, {}, exactly(16)),
        (Annotated[str, Field(min_length=3, max_length=3, pattern="^[a-z]+$")], {}, Band(4, 4, 13)),
        (Annotated[list[Annotated[int, Field(ge=0, le=9)]], Field(min_length=3, max_length=3)], {"frozen": "value"},
         exactly(29)),
        (Annotated[set[Annotated[int, Field(ge=0, le=9)]], Field(min_length=3, max_length=3)], {}, exactly(21)),
    ],
    ids=str,
)  # fmt: skip
def test_a_value_has_the_bytes_of_its_type(kind: Any, options: dict[str, Any], expected: Band) -> None:
    table = a_table("t", {"value": kind}, **options)
    known = layout(placed(table), table)
    assert known is not None
    assert part_bytes(known, known.parts["value"], "T") == expected


SERIES = a_table(
    "series",
    {"at": datetime, "id": UUID, "n": int},
    partition=["sensor", "day", "shard"],
    clustering=["-at", "id"],
    computed={"day": "{at:date}", "shard": "{id:shard(4)}"},
)
"""Shards and buckets."""


def test_a_merge_reads_a_page_of_every_shard() -> None:
    cost = ENGINE.cost(planned(SERIES, "read", eq="sensor day", order="-at", limit=10))
    assert (cost.units, cost.returned) == (Band(0, 44, 44), Band(0, 10, 10))
    assert (cost.round_trips, cost.partitions) == (exactly(1), 4)


def test_buckets_are_walked_one_after_the_other() -> None:
    cost = ENGINE.cost(
        planned(SERIES, "read", eq="sensor", range="at", span_seconds=86_400, order="-at", limit=10, fan_out=8)
    )
    assert (cost.units, cost.round_trips, cost.partitions) == (Band(0, 44, 88), Band(1, 1, 2), 8)


def test_a_read_without_a_limit_has_no_end() -> None:
    cost = ENGINE.cost(planned(SERIES, "read", eq="sensor at id"))
    assert cost.units == Band(0, 1, 1)
    cost = ENGINE.cost(planned(SERIES, "read", eq="sensor day"))
    assert (cost.units.high, cost.missing) == (None, {"pattern: limit="})


def test_a_count_reads_the_partition() -> None:
    cost = ENGINE.cost(planned(SERIES, "count", eq="sensor day"))
    assert (cost.returned, cost.units.high) == (exactly(1), None)


def test_copies_agree_in_four_round_trips() -> None:
    assert ENGINE.cost(planned(SERIES, "put")).round_trips == exactly(1)
    assert ENGINE.cost(planned(SERIES, "put", if_absent=True)).round_trips == exactly(4)
    assert ENGINE.cost(planned(SERIES, "update", sets="n")).round_trips == exactly(4)


def test_indexes_and_views_are_written_too() -> None:
    table = a_table(
        "seen", {"id": str, "at": datetime, "kind": str}, clustering="id",
        indexes=[kw.CqlIndex("kind")], views=[kw.View("by_time", partition="sensor", clustering=["-at", "id"])],
    )  # fmt: skip
    result = planned(table, "put", batch=2)
    assert isinstance(result.path, AccessPath)
    assert ENGINE.cost(result).arms == (("", exactly(2)), ("by_time", Band(2, 4, 4)), ("seen_kind_idx", Band(0, 2, 2)))
