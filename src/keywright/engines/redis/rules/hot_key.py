"""RED031: one key receives more calls than one core executes."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.rates import calls
from keywright.ir.pattern import Pattern
from keywright.ir.text import counted

from ..access.layout import Layout
from ..access.memory import keys_of
from ..declare.options import RedisStream
from ..findings.load import READS, WRITES, highest
from ..findings.servers import entities
from ..findings.times import keys_at_once

_DELIVERED = 2
"""Entries of a batch that cost as much to deliver as one costs to append."""


def models(context: RuleContext, *, max_calls: int = 25_000) -> Iterator[FindingDraft]:
    """Entities whose busiest key receives more calls, by hot_key=, or by rates and the number of keys.

    max_calls: calls per second on one key.
    """
    for _, binding, layout in entities(context):
        patterns = [plan.pattern for plan, _ in calls(context, binding, *READS, *WRITES)]
        groups = len(binding.spec.groups) if isinstance(binding.spec, RedisStream) else 0
        rate = sum(_on_one_key(pattern, layout) * _commands(pattern, groups) for pattern in patterns)
        if rate > max_calls:
            yield FindingDraft(
                problem=f'one key, "{layout.key.text}", receives up to '
                f"{counted(rate, 'call', spec=',.0f')} a second, "
                f"{counted(max_calls, 'is recommended', 'are recommended', spec=',')}: it is on one core, and a "
                "cluster does not divide it",
                help="keep the value in the processes by cache_ttl= of its reads"
                if max(patterns, key=highest).kind in READS
                else "divide it among several keys by another field, or by a shard in key=, such as {:shard(8)}",
                subject=binding.name,
            )


def _commands(pattern: Pattern, groups: int) -> float:
    """Commands that a call takes: an entry of a stream is also delivered to each group and acknowledged, in batches."""
    return 1 + groups / _DELIVERED if pattern.kind == "put" else 1


def _on_one_key(pattern: Pattern, layout: Layout) -> float:
    """Calls per second of a pattern on the busiest key; 0 if unknown, or if callers keep the answer.

    Only the key of the present period receives writes, and a batch is as many commands as items.
    """
    if pattern.cache_ttl_seconds:
        return 0
    if pattern.load.hot_key_per_second is not None:
        return pattern.load.hot_key_per_second
    keys = keys_at_once(layout) if pattern.kind in WRITES else keys_of(layout)
    batch = 1 if pattern.kind == "take" else max(1, pattern.batch)
    return highest(pattern) * batch / keys if keys else 0
