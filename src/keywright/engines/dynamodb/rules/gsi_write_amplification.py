"""DDB011: a write costs many times the units of its item because of global indexes."""

from collections.abc import Iterator

from keywright.access.cost import Band
from keywright.engines.dynamodb.access.cost.write import write_arms
from keywright.engines.dynamodb.findings.uses import Use, uses
from keywright.engines.dynamodb.schema.capabilities import INDEXES
from keywright.engines.findings.context import FindingDraft, RuleContext, TargetInEnvironment
from keywright.ir.text import counted


def models(context: RuleContext, *, warn: float = 5.0) -> Iterator[FindingDraft]:
    """Most expensive amplified write of each entity.

    warn: multiple of the table's own units beyond which a write is reported.
    """
    worst: dict[str, tuple[Use, float, str]] = {}
    for use in uses(context):
        if use.write is None:
            continue
        arms = {index: _expected_units(band) for index, band in write_arms(use.entity, use.write).items()}
        factor, name = sum(arms.values()) / max(1, arms.pop("")), use.entity.binding.name
        if factor > warn and (name not in worst or worst[name][1] < factor):
            worst[name] = use, factor, max(sorted(arms), key=lambda index: arms[index])
    for name, (use, factor, index) in worst.items():
        yield FindingDraft(
            problem=f'"{use.name}" takes {counted(factor, "time", spec=".1f")} the write units of the item itself, '
            f'most beside the table in index "{index}"',
            help='drop or merge indexes, or project less into them, such as project="keys"',
            subject=name,
        )


def stored(target: TargetInEnvironment, *, warn: float = 5.0, most: int = INDEXES.value) -> Iterator[FindingDraft]:
    """Tables with too many indexes, and tables of a program with many indexes of whole items.

    warn: multiple of the table's own units beyond which a write is reported. most: global indexes of a table.
    """
    table = target.placed
    if len(table.indexes) > most:
        yield FindingDraft(
            problem=f'table "{table.name}" has '
            f"{counted(len(table.indexes), 'global index', 'global indexes')}, and the quota is {most}",
            help="drop or merge some, or have the quota raised and say so by the parameter most",
            subject=target.declared.name,
        )
    names = [index.name for index in table.indexes if index.projection == "ALL"]
    if not table.shape and 1 + len(names) > warn:
        yield FindingDraft(
            problem=f"a write of an item that is in all {counted(len(names), 'index', 'indexes')} of table "
            f'"{table.name}" that hold whole '
            f"items takes {counted(1 + len(names), 'time')} the units of the item itself",
            help="drop or merge indexes, or project less into them",
            subject=target.declared.name,
        )


def _expected_units(band: Band) -> float:
    """Expected units of an arm; the least if the entry size is unknown."""
    return max(1, band.low) if band.expected is None else band.expected
