"""DDB007: one key receives more writes than one partition serves, and has no shards."""

from collections.abc import Iterator
from math import ceil

from keywright.engines.dynamodb.findings.hot_keys import HotKey, hot_keys
from keywright.engines.dynamodb.findings.uses import hash_text, uses
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.ir.text import counted


def models(context: RuleContext, *, shards: int = 10) -> Iterator[FindingDraft]:
    """Hottest unsharded write of each entity.

    shards: fewest shards that the help proposes.
    """
    worst: dict[str, HotKey] = {}
    for use in uses(context):
        for hot_key in hot_keys(use):
            if hot_key.side == "read" or not hot_key.is_of_table or not hot_key.is_too_hot or hot_key.is_sharded:
                continue
            name = use.entity.binding.name
            if name not in worst or worst[name].units < hot_key.units:
                worst[name] = hot_key
    for name, hot_key in worst.items():
        number, text = max(shards, ceil(hot_key.units / hot_key.most)), hash_text(hot_key.route)
        yield FindingDraft(
            problem=f'"{hot_key.use.name}" takes {counted(hot_key.units, "write unit", spec=",.0f")} a second of one '
            f'key pk="{text}", '
            f"and a partition serves {hot_key.most:,}",
            help=f'spread it by shards, as in pk="{text}#{{:shard({number})}}", and read with fan_out={number}',
            subject=name,
        )
