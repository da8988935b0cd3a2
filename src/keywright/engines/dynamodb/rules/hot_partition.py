"""DDB006: the busiest key of a table receives more traffic than one partition serves."""

from collections.abc import Iterator
from math import ceil

from keywright.engines.dynamodb.access.calls import GetItem
from keywright.engines.dynamodb.findings.hot_keys import HotKey, hot_keys
from keywright.engines.dynamodb.findings.uses import hash_text, uses
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.ir.text import counted


def models(context: RuleContext, *, calls: float = 3000.0) -> Iterator[FindingDraft]:
    """Hottest read and hottest write of each entity; DDB007 reports writes of a key without shards.

    calls: reads of one item a second above which DDB020 reports the pattern.
    """
    worst: dict[tuple[str, str], HotKey] = {}
    for use in uses(context):
        for hot_key in hot_keys(use):
            if (
                not hot_key.is_of_table
                or not hot_key.is_too_hot
                or (hot_key.side == "write" and not hot_key.is_sharded)
                or _is_of_one_item(hot_key, calls)
            ):
                continue
            entity_side = use.entity.binding.name, hot_key.side
            if entity_side not in worst or worst[entity_side].units < hot_key.units:
                worst[entity_side] = hot_key
    for (name, side), hot_key in worst.items():
        units = counted(hot_key.units, f"{side} unit", spec=",.0f")
        yield FindingDraft(
            problem=f'"{hot_key.use.name}" takes {units} a second of one key '
            f'pk="{hash_text(hot_key.route)}", and a partition serves {hot_key.most:,}',
            help=_help(hot_key),
            subject=name,
        )


def _is_of_one_item(hot_key: HotKey, calls: float) -> bool:
    """Whether DDB020 reports it: a get of an item without copies."""
    use = hot_key.use
    return isinstance(use.call, GetItem) and use.entity.shape.copies == 1 and hot_key.calls > calls


def _help(hot_key: HotKey) -> str:
    """Help with a sufficient number of copies or shards."""
    needed = ceil(hot_key.units / hot_key.most)
    if hot_key.side == "read":
        copies = needed * hot_key.use.entity.shape.copies
        copy_help = (
            f"; or keep copies of each item, by read_copies={copies}" if isinstance(hot_key.use.call, GetItem) else ""
        )
        return f"let callers keep the answer, by cache_ttl=, or put a cache before it{copy_help}"
    return f"spread it over {counted(needed, 'time')} as many shards, and read with as large a fan_out="
