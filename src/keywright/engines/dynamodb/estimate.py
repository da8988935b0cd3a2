"""What going over a table takes of its capacity, by the size of the average item."""

from math import ceil

from keywright.engines.sizes import Size, Units

from .access.units import read_units, write_units
from .target import IndexTarget, TableTarget


def units(table: TableTarget, op: str, size: Size, writes: tuple[str, ...] | None) -> Units:
    """See `Engine.units`: a scan reads the whole table, a backfill twice, for it looks whether anything was left.

    The build of an index reads by capacity of the service's own, and is reckoned as if it held whole items. What is
    written twice because others write too is not in it.
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
    """Whether an index changes with these paths of an item; with unknown ones, each does."""
    if writes is None or index.projection == "ALL":
        return True
    held = {*(part.attribute for part in index.keys), *index.included}
    return any(path.partition(".")[0] in held for path in writes)
