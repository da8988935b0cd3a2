"""MDB033: a frequent read of a sharded collection asks every shard.

https://www.mongodb.com/docs/manual/core/sharding-choose-a-shard-key/ (2026-11-23) contains no number; the defaults are
ours.
"""

from collections.abc import Iterator
from typing import Any

from keywright.access.query import request
from keywright.access.search import Planned
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.pattern_facts import READS
from keywright.engines.mongodb.access.layout import view
from keywright.engines.mongodb.findings.sharding import sharded
from keywright.errors import quoted
from keywright.ir.text import counted, figure

_SINGLE = ("equals", "one_of", "contains", "all_of", "exactly")
_RANGES = ("between", "at_least", "above", "at_most", "below", "prefix")


def models(context: RuleContext, *, min_rate: float = 1, max_percent: float = 10) -> Iterator[FindingDraft]:
    """Every such read that does not decide the first field of the shard key, or only a range of its hash.

    min_rate: calls per second of a frequent read. max_percent: percent of the reads of a collection that may ask every
    shard, each.
    """
    for binding, names, is_hashed in sharded(context):
        plans = [plan for plan in context.plans_of(binding) if plan.pattern.kind in READS]
        total = sum(plan.pattern.load.per_second or 0 for plan in plans)
        for plan in plans:
            rate = plan.pattern.load.per_second or 0
            if rate < min_rate or rate * 100 <= max_percent * total:
                continue
            if problem := _problem(plan, names, is_hashed):
                yield FindingDraft(
                    problem=f"{problem}: each of its {counted(rate, 'call', spec=figure)} a second goes to every "
                    "shard, and more shards make it no faster",
                    help=f'add "{names[0]}" to eq=, or let shard_key= begin with a field that it compares by equality'
                    + (", without hashed=True for a range" if is_hashed else ""),
                    subject=plan.pattern.name,
                    at=plan.pattern.at,
                )


def _problem(plan: Planned[Any], names: list[str], is_hashed: bool) -> str:
    """The reason why a read asks every shard; empty if it does not."""
    layout = view(plan.target, plan.binding)
    conditions = request(plan.pattern, layout.key_fields if layout else ()).conditions
    of_first = {condition.kind for condition in conditions if condition.field == names[0]}
    if of_first & {*_SINGLE}:
        return ""
    if of_first & {*_RANGES}:
        return f'it reads a range of "{names[0]}", by whose hash the collection is sharded' if is_hashed else ""
    return f"it does not compare shard key {quoted(names)}"
