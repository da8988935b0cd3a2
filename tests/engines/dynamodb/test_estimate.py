"""What going over a table takes of its capacity: the worked example of docs/sizing.md, 100 million items of 1 KB."""

import pytest

from keywright.engines.contract.counting import StoreSize, Units
from keywright.engines.dynamodb.migrate.counts import units
from keywright.engines.dynamodb.schema.target import IndexTarget, KeyPart, TableTarget

KEYS = (KeyPart("pk", "S", "HASH"),)
MANY = StoreSize(100_000_000, 100_000_000 * 1024)
SCAN = 12_500_000


def table(*indexes: IndexTarget) -> TableTarget:
    return TableTarget("orders", 1, KEYS, indexes)


BY_DAY = IndexTarget("by_day", (KeyPart("day", "S", "HASH"),), "KEYS_ONLY")
BY_PLACE = IndexTarget("by_place", (KeyPart("place", "S", "HASH"),), "INCLUDE", ("total",))
WHOLE = IndexTarget("whole", (KeyPart("place", "S", "HASH"),))


def test_a_look_at_all_values_is_one_scan() -> None:
    assert units(table(BY_DAY), "check_index_values", MANY, None) == Units(SCAN, 0)


def test_a_build_writes_each_item_once_more() -> None:
    assert units(table(), "alter", MANY, None) == Units(0, MANY.items)


@pytest.mark.parametrize(
    ("writes", "arms"), [(("day",), 3), (("total.net",), 3), (("other",), 2), (("day", "place"), 4), (None, 4)]
)
def test_a_backfill_scans_twice_and_writes_the_table_and_each_index_that_changes(
    writes: tuple[str, ...] | None, arms: int
) -> None:
    result = units(table(BY_DAY, BY_PLACE, WHOLE), "backfill", MANY, writes)
    assert result == Units(2 * SCAN, arms * MANY.items)


def test_a_write_is_paid_by_started_kilobytes_of_the_average_item() -> None:
    assert units(table(), "backfill", StoreSize(10, 10 * 1025), ()) == Units(4, 20)


def test_an_empty_table_takes_nothing() -> None:
    assert units(table(), "backfill", StoreSize(0, 0), None) == Units(0, 0)
