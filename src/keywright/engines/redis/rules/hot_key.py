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

_DELIVERED, _DELIVERED_BY_MANY, _MANY = 2, 4, 100
"""Entries that cost as much to deliver and acknowledge as one costs to append: in batches of ten, and of `_MANY`.

Processor time of Redis 7.0.15 and Valkey 9.1.2: 1.6 to 2.3 in batches of 10, 2.5 to 5.4 of 50, and 4.3 to 5.4 of 200.
"""


def models(context: RuleContext, *, max_calls: int = 25_000) -> Iterator[FindingDraft]:
    """Entities whose busiest key receives more calls, by hot_key=, or by rates and the number of keys.

    max_calls: calls per second on one key.
    """
    for _, binding, layout in entities(context):
        patterns = [plan.pattern for plan, _ in calls(context, binding, *READS, *WRITES)]
        delivered = _delivered(binding.spec, patterns) if isinstance(binding.spec, RedisStream) else 0
        rate = sum(
            _on_one_key(pattern, layout) * (1 + delivered if pattern.kind == "put" else 1) for pattern in patterns
        )
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


def _delivered(spec: RedisStream, patterns: list[Pattern]) -> float:
    """The cost of an entry's deliveries to all groups, with their acknowledgement, in costs of adding one."""
    limits = [pattern.limit or 1 for pattern in patterns if pattern.kind == "take"]
    is_by_many = bool(limits) and min(limits) >= _MANY
    return len(spec.groups) / (_DELIVERED_BY_MANY if is_by_many else _DELIVERED)


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
