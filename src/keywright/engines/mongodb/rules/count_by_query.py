"""MDB017: how many refer to an entity is counted each time that somebody asks.

https://www.mongodb.com/docs/manual/data-modeling/design-patterns/handle-computed-values/ (2026-11-22)
names no number; the default is ours.
"""

from collections.abc import Iterator

from keywright.engines.flaws.context import Flaw, Whole
from keywright.ir.attribute import Scalar
from keywright.ir.entity import resolve


def models(whole: Whole, *, min_rate: float = 1.0) -> Iterator[Flaw]:
    """Every such count, by a field with `Ref`, that is asked for as often.

    min_rate: counts per second from which on a number that is kept up to date is cheaper.
    """
    for plan in whole.plans:
        pattern, rate = plan.pattern, plan.pattern.load.per_second
        if plan.binding.engine != "mongodb" or pattern.kind != "count" or len(pattern.eq) != 1:
            continue
        found = resolve(plan.binding.entity.attributes, pattern.eq[0])
        kind = found[-1].type if found else None
        reference = kind.facts.reference if isinstance(kind, Scalar) else None
        if reference is not None and rate is not None and rate >= min_rate:
            yield Flaw(
                problem=f"counts every {plan.binding.name} of one {reference.entity} {rate:g} times a second",
                help=f"keep the number in {reference.entity}, by kw.Increment({reference.entity}, ...) with each write",
                subject=pattern.name,
                at=pattern.at,
            )
