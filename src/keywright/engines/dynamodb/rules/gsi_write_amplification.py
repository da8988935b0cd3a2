"""DDB011: a write costs many times its own, by what it changes in global indexes."""

from collections.abc import Iterator

from keywright.access.cost import Band
from keywright.engines.dynamodb.access.cost_write import write_arms
from keywright.engines.dynamodb.capabilities import INDEXES
from keywright.engines.dynamodb.uses import Use, uses
from keywright.engines.flaws.context import Flaw, Stored, Whole


def models(whole: Whole, *, warn: float = 5.0) -> Iterator[Flaw]:
    """The dearest such write of each entity.

    warn: times the table's own units beyond which a write is dear.
    """
    worst: dict[str, tuple[Use, float, str]] = {}
    for use in uses(whole):
        if use.write is None:
            continue
        arms = {index: _usual(band) for index, band in write_arms(use.entity, use.write).items()}
        times, name = sum(arms.values()) / max(1, arms.pop("")), use.entity.binding.name
        if times > warn and (name not in worst or worst[name][1] < times):
            worst[name] = use, times, max(sorted(arms), key=lambda index: arms[index])
    for name, (use, times, index) in worst.items():
        yield Flaw(
            problem=f'"{use.name}" takes {times:.1f} times the write units of the item itself, '
            f'most beside the table in index "{index}"',
            help='drop or merge indexes, or project less into them, such as project="keys"',
            subject=name,
        )


def stored(one: Stored, *, warn: float = 5.0, most: int = INDEXES.value) -> Iterator[Flaw]:
    """A table with too many indexes, and one of a program with many that hold whole items.

    warn: times the table's own units beyond which a write is dear. most: global indexes of a table.
    """
    table = one.placed
    if len(table.indexes) > most:
        yield Flaw(
            problem=f'table "{table.name}" has {len(table.indexes)} global indexes, and the quota is {most}',
            help="drop or merge some, or have the quota raised and say so by the parameter most",
            subject=one.declared.name,
        )
    whole = [index.name for index in table.indexes if index.projection == "ALL"]
    if not table.shape and 1 + len(whole) > warn:
        yield Flaw(
            problem=f'a write of an item that is in all {len(whole)} indexes of table "{table.name}" that hold whole '
            f"items takes {1 + len(whole)} times the units of the item itself",
            help="drop or merge indexes, or project less into them",
            subject=one.declared.name,
        )


def _usual(band: Band) -> float:
    """Units of an arm; of an entry of unknown size the least."""
    return max(1, band.low) if band.expected is None else band.expected
