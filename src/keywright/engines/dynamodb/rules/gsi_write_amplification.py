"""DDB011: a write costs many times the units of its item because of global indexes."""

from collections.abc import Iterator

from keywright.access.cost import Band
from keywright.engines.dynamodb.access.calls import UpdateItem, Write
from keywright.engines.dynamodb.access.cost.write import write_arms
from keywright.engines.dynamodb.access.layout import Layout, Route
from keywright.engines.dynamodb.findings.uses import Use, scalar, uses
from keywright.engines.dynamodb.schema.capabilities import INDEXES
from keywright.engines.findings.context import FindingDraft, RuleContext, TargetInEnvironment
from keywright.ir.text import counted


def models(context: RuleContext, *, warn: float = 5.0, least: float = 25) -> Iterator[FindingDraft]:
    """Most expensive amplified write of each entity.

    warn: multiple of the table's own units beyond which a write is reported. least: units a second of all indexes up to
    which a write with a declared rate costs too little.
    """
    worst: dict[str, tuple[Use, float, str]] = {}
    for use in uses(context):
        if use.write is None:
            continue
        arms = {
            index: _expected_units(band) / (2 if _keeps_key(use.entity, index, use.write) else 1)
            for index, band in write_arms(use.entity, use.write).items()
        }
        total, own, name = sum(arms.values()), arms.pop(""), use.entity.binding.name
        factor, rate = total / max(1, own), use.load.per_second
        if rate is not None and rate * use.times * (total - own) <= least:
            continue
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


def _keeps_key(entity: Layout, index: str, call: Write) -> bool:
    """Whether an update changes the key of an index by references alone that it needs for the key of another index.

    A caller passes all fields of a key if one changes (GEN105); the reference is then the stored one.
    """
    if not isinstance(call, UpdateItem):
        return False
    keys = {route.index: _set_in_key(route, call) for route in entity.routes if route.index}
    own = keys.get(index, set())
    needed = {field for other, fields in keys.items() if other != index and len(fields) > 1 for field in fields}
    kinds = [scalar(entity, field) for field in own]
    return bool(own) and own <= needed and all(kind is not None and kind.facts.reference for kind in kinds)


def _set_in_key(route: Route, call: UpdateItem) -> set[str]:
    """Fields of an index key that an update sets."""
    paths = {placeholder.path for part in route.key for placeholder in part.template.placeholders}
    return paths & {*call.sets}


def _expected_units(band: Band) -> float:
    """Expected units of an arm; the least if the entry size is unknown."""
    return max(1, band.low) if band.expected is None else band.expected
