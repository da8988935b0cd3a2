"""CAS039: conditional writes are so frequent that the consensus of replicas becomes the bottleneck."""

from collections.abc import Iterator
from typing import Literal

from keywright.access.path import AccessPath
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.pattern_facts import identity, single
from keywright.ir.pattern import Pattern
from keywright.ir.text import counted

from ..access.calls_write import Batch, DeleteRows, IncrementCounter, Insert, UpdateRow, is_conditional
from ..access.cost import ROUNDS
from ..access.growth import partitions
from ..access.layout import Layout
from ..findings.tables import entities

_SURELY = 3
"""Multiple of the allowed conditional writes that a cluster is not to bear even if each of them is necessary."""


def models(context: RuleContext, *, per_second: float = 1_000, per_partition: float = 50) -> Iterator[FindingDraft]:
    """Every conditional write that is too frequent; an update is one, because the row must exist.

    per_second: most conditional writes of a pattern per second, at the peak. per_partition: most of them on one
    partition, by hot_key= or by the number of partitions.
    """
    reported: set[str] = set()
    for _, binding, layout in entities(context):
        groups = partitions(layout)
        for plan in context.plans_of(binding):
            pattern = plan.pattern
            if pattern.name in reported or not isinstance(plan.path, AccessPath) or not _is_conditional(plan.path.call):
                continue
            load = pattern.load
            rate = (load.peak_per_second or load.per_second or 0) * max(1, pattern.batch)
            hottest = load.hot_key_per_second or (rate / groups if groups else 0)
            severity: Literal["question"] | None = None
            if hottest > per_partition:
                problem = (
                    f"{counted(hottest, 'conditional write', spec=',.0f')} a second compete for one partition, in "
                    f"{ROUNDS} round trips each: attempts collide and time out; "
                    f"{counted(per_partition, 'is allowed', 'are allowed', spec=',.0f')}"
                )
                remedy = (
                    "cut the partition so that writers of different rows do not meet, or let one worker apply the "
                    "changes of a partition in turn"
                )
            elif rate > per_second and not _is_claim(context, layout, pattern):
                problem = (
                    f"{counted(rate, 'write', spec=',.0f')} a second are conditional, in {ROUNDS} round trips each "
                    "between replicas"
                )
                remedy = "write whole rows by a kw.Put without if_absent= where no other writer races for them"
                if rate > per_second * _SURELY:
                    problem += f"; {counted(per_second, 'is allowed', 'are allowed', spec=',.0f')}"
                else:
                    problem += ": is there another writer who races for the same row?"
                    remedy, severity = f"if there is none, {remedy}", "question"
            else:
                continue
            reported.add(pattern.name)
            yield FindingDraft(problem=problem, help=remedy, subject=pattern.name, at=pattern.at, severity=severity)


def _is_claim(context: RuleContext, layout: Layout, pattern: Pattern) -> bool:
    """Whether a put in a partition of its own decides which of several writers gets what another entity describes.

    The key is that of the other entity, so that the row is no new thing with an id of its own, and a strong read asks
    for the decision. Without the condition, every writer would succeed.
    """
    if pattern.kind != "put" or not pattern.if_absent or layout.target.clustering:
        return False
    key, fields = frozenset(layout.identity), layout.binding.entity.attributes
    types = {field.name: field.type for field in fields if field.name in key}
    is_asked = any(
        read.binding == layout.binding.name and read.kind == "get" and read.consistency == "strong"
        for read in single(context.design)
    )
    return is_asked and any(
        identity(other) == key
        and other.entity.name != layout.binding.entity.name
        and types == {field.name: field.type for field in other.entity.attributes if field.name in key}
        for other in context.design.bindings
    )


def _is_conditional(call: object) -> bool:
    if isinstance(call, Batch):
        return call.is_conditional
    return isinstance(call, (Insert, UpdateRow, DeleteRows, IncrementCounter)) and is_conditional(call)
