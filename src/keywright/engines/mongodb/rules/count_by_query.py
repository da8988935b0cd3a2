"""MDB017: a frequent pattern counts the documents that refer to an entity, in place of a stored counter.

https://www.mongodb.com/docs/manual/data-modeling/design-patterns/handle-computed-values/ (2026-11-22)
contains no number; the default is ours.
"""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.ir.attribute import Scalar
from keywright.ir.entity import resolve
from keywright.ir.text import counted, figure


def models(context: RuleContext, *, min_rate: float = 1.0, few: int = 1_000) -> Iterator[FindingDraft]:
    """Every count by a field with `Ref` at this rate or more.

    min_rate: counts per second from which a stored counter is cheaper. few: declared documents of one reference whose
    index entries are counted at once.
    """
    for plan in context.plans:
        pattern, rate = plan.pattern, plan.pattern.load.per_second
        if plan.binding.engine != "mongodb" or pattern.kind != "count" or len(pattern.eq) != 1:
            continue
        attributes = resolve(plan.binding.entity.attributes, pattern.eq[0])
        kind = attributes[-1].type if attributes else None
        reference = kind.facts.reference if isinstance(kind, Scalar) else None
        if reference is not None and reference.max_referrers is not None and reference.max_referrers <= few:
            continue
        if reference is not None and rate is not None and rate >= min_rate:
            yield FindingDraft(
                problem=f"counts every {plan.binding.name} of one {reference.entity} "
                f"{counted(rate, 'time', spec=figure)} a second",
                help=f"keep the number in {reference.entity}, by kw.Increment({reference.entity}, ...) with each write",
                subject=pattern.name,
                at=pattern.at,
            )
