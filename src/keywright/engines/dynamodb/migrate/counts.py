"""Blocking counts of a change, made in the table before it, and the capacity units of a pass over the table."""

from collections.abc import Iterator
from math import ceil
from typing import Any

from keywright.engines.contract.change import AddIndex, AlterIndex, AlterTtl, Change
from keywright.engines.contract.counting import BlockingCount, StoreSize, Units

from ..access.cost.units import read_units, write_units
from ..schema.target import IndexTarget, TableTarget


def blocking_counts(table: TableTarget, change: Change) -> Iterator[BlockingCount]:
    """See `Engine.blocking_counts`: items that a new index would leave out, and items that would expire at once."""
    if isinstance(change, AlterTtl) and change.after:
        yield BlockingCount("expired", table.name, change.after)
    elif isinstance(change, (AddIndex, AlterIndex)) and change.path[2:3] == ("indexes",) and change.after:
        index: Any = change.after
        yield BlockingCount("misfits", table.name, {"keys": index["keys"]})


def units(table: TableTarget, op: str, size: StoreSize, writes: tuple[str, ...] | None) -> Units:
    """See `Engine.units`: a scan reads the whole table, a backfill reads it twice, because it checks the result.

    The build of an index reads with the service's own capacity; the estimate assumes that it contains whole items.
    Repeated writes because of concurrent writers are not included.
    Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.OnlineOps.html, 2026-11-21.
    """
    scan = ceil(read_units(size.bytes)) if size.bytes else 0
    item = write_units(0, ceil(size.bytes / size.items)) if size.items else 0
    match op:
        case "check_index_values":
            return Units(scan, 0)
        case "backfill":
            arms = 1 + sum(_is_written(index, writes) for index in table.indexes)
            return Units(2 * scan, size.items * item * arms)
        case _:
            return Units(0, size.items * item)


def _is_written(index: IndexTarget, writes: tuple[str, ...] | None) -> bool:
    """Whether changes of these paths of an item change an index; unknown paths change each."""
    if writes is None or index.projection == "ALL":
        return True
    stored = {*(part.attribute for part in index.keys), *index.included}
    return any(path.partition(".")[0] in stored for path in writes)
