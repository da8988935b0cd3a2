"""DDB041: frequent reads or updates need a few bytes of a large item, and pay for the whole item."""

from collections import defaultdict
from collections.abc import Iterator
from math import ceil

from keywright.engines.dynamodb.access.calls import GetItem, QueryItems, UpdateItem
from keywright.engines.dynamodb.access.cost.call import cost
from keywright.engines.dynamodb.access.cost.size import attribute_bytes, item_bytes
from keywright.engines.dynamodb.access.cost.units import READ_BYTES, WRITE_BYTES
from keywright.engines.dynamodb.findings.throughput import usual
from keywright.engines.dynamodb.findings.uses import Use, attribute, uses
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.pattern_facts import changed
from keywright.errors import quoted
from keywright.ir.text import counted


def models(
    context: RuleContext,
    *,
    part: float = 0.05,
    big_bytes: int = 10_240,
    units: float = 100.0,
    written_bytes: int = 4_096,
    written_units: float = 1_000.0,
) -> Iterator[FindingDraft]:
    """The get or update of each entity that wastes most units.

    part: greatest share of an item's bytes that counts as small. big_bytes: bytes of a large item. units: units
    a second from which a pattern is reported. written_bytes: bytes from which an item is large for an update of so many
    write units a second. written_units: these units.
    """
    wasteful: dict[str, list[tuple[float, FindingDraft]]] = defaultdict(list)
    for use in uses(context):
        rate, paths = use.load.per_second, _paths(use)
        size, small = item_bytes(use.entity).expected, _bytes(use, paths)
        if rate is None or size is None or small is None or small > part * size or _is_indexed(use, paths):
            continue
        each, side = _units(use, size)
        total = each * rate * use.pattern.batch
        is_much_written = side == "write" and size >= written_bytes and total >= written_units
        if is_much_written or (size >= big_bytes and total >= units):
            draft = FindingDraft(
                problem=f"it {'changes' if side == 'write' else 'needs'} about "
                f"{counted(small, 'byte', spec=',.0f')} of an item of "
                f"{size:,.0f}, and pays for the whole: {counted(each, side + ' unit', spec=',.1f')}, "
                f"{total:,.0f} a second",
                help=f"move {quoted(paths)} to an item of its own with the same partition key",
                subject=use.name,
                at=use.pattern.at,
            )
            wasteful[use.entity.binding.name].append((total, draft))
    for drafts in wasteful.values():
        yield max(drafts, key=lambda row: row[0])[1]


def _paths(use: Use) -> tuple[str, ...]:
    """Fields that an update changes or a get returns; empty for a whole item and for other calls."""
    is_query = isinstance(use.call, QueryItems) and not use.call.index
    if (is_query or isinstance(use.call, GetItem)) and not use.pattern.cache_ttl_seconds:
        return use.pattern.fields
    return changed(use.pattern) if isinstance(use.call, UpdateItem) and not use.pattern.pushes else ()


def _is_indexed(use: Use, paths: tuple[str, ...]) -> bool:
    """Whether an update changes what an index of the item is made of, which therefore stays in the item."""
    routes = use.entity.routes[1:] if use.write is not None else ()
    keys = {placeholder.path for route in routes for part in route.key for placeholder in part.template.placeholders}
    conditions = {condition.field for route in routes for condition in route.where}
    return not (keys | conditions).isdisjoint(paths)


def _units(use: Use, size: float) -> tuple[float, str]:
    """(units of one call, their kind)."""
    if use.write is not None:
        return float(ceil(size / WRITE_BYTES) * use.times), "write"
    if isinstance(use.call, QueryItems):
        return usual(cost(use.planned).units), "read"
    strong_units = ceil(size / READ_BYTES)
    return (strong_units if isinstance(use.call, GetItem) and use.call.is_strong else strong_units / 2), "read"


def _bytes(use: Use, paths: tuple[str, ...]) -> float | None:
    """Bytes of some fields; None if there is none, or one is unknown."""
    total = 0.0
    for path in paths:
        field = attribute(use.entity, path)
        expected = attribute_bytes(use.entity, field).expected if field is not None else None
        if expected is None:
            return None
        total += expected
    return total if paths else None
