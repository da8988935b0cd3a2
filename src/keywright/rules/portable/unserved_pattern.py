"""GEN004: no key, index or structure serves a pattern, and no reason is given."""

from collections.abc import Iterator

from keywright.access.path import AccessPath, NotServed
from keywright.engines.flaws.context import Flaw, Whole
from keywright.engines.flaws.observation import Seen

_MADE = ("gsi", "index", "view")
"""Ways that are made beside what they lead to."""


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


def live(seen: Seen) -> Iterator[Flaw]:
    """Every pattern whose index or view is not there, or not yet."""
    if seen.live is None or not seen.found.places:
        return
    there = {way.name for way in seen.found.ways}
    for plan in seen.plans():
        if isinstance(plan.path, AccessPath) and plan.path.by.kind in _MADE and plan.path.by.name not in there:
            yield Flaw(
                problem=f"{plan.path.by} is to serve it, and cannot be asked there",
                help="`keywright drift` shows what else is missing, `keywright migrate apply` makes it",
                subject=plan.pattern.name,
                at=plan.pattern.at,
            )
