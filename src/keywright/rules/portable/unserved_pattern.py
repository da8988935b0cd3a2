"""GEN004: no key, index or structure serves a pattern, and no reason is given."""

from collections.abc import Iterator

from keywright.access.path import NotServed
from keywright.engines.flaws.context import Flaw, Whole


def models(whole: Whole) -> Iterator[Flaw]:
    """Every pattern that nothing serves."""
    for plan in whole.plans:
        if isinstance(plan.path, NotServed) and plan.pattern.unserved is None:
            yield Flaw(
                problem=f"nothing serves it: {plan.path.reason}",
                help="`keywright patterns` prints the smallest declaration that does; or say why not, by unserved=",
                subject=plan.pattern.name,
                at=plan.pattern.at,
            )
