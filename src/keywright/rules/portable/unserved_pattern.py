"""GEN004: no key, index or structure serves an access pattern."""

from collections.abc import Iterator

from keywright.access.path import AccessPath, NotServed
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.observation import LiveTarget

_SEPARATE = ("gsi", "index", "view")
"""Kinds of access path that are separate objects of the server."""


def models(context: RuleContext) -> Iterator[FindingDraft]:
    """Report every pattern that is not served."""
    for plan in context.plans:
        if isinstance(plan.path, NotServed) and plan.pattern.unserved is None:
            yield FindingDraft(
                problem=f"it is not served: {plan.path.reason}",
                help="`keywright patterns` prints the smallest declaration that does; or give the reason by unserved=",
                subject=plan.pattern.name,
                at=plan.pattern.at,
            )


def live(live_target: LiveTarget) -> Iterator[FindingDraft]:
    """Report every pattern whose index or view does not exist, or is not ready."""
    if live_target.live is None or not live_target.observation.places:
        return
    existing = {index.name for index in live_target.observation.indexes}
    for plan in live_target.plans():
        if isinstance(plan.path, AccessPath) and plan.path.by.kind in _SEPARATE and plan.path.by.name not in existing:
            yield FindingDraft(
                problem=f"{plan.path.by} should serve it, but is not available there",
                help="`keywright drift` shows all differences, `keywright migrate apply` creates it",
                subject=plan.pattern.name,
                at=plan.pattern.at,
            )
