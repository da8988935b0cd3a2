"""CAS005: old rows are deleted, although a time to live would expire them."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.rates import calls

from ..findings.tables import entities


def models(context: RuleContext) -> Iterator[FindingDraft]:
    """Every deletion because of age, except in tables of counters, which cannot expire."""
    for target, binding, layout in entities(context):
        has_windows = target.environment.flavour != "keyspaces"
        if layout.counters:
            continue
        for plan, _ in calls(context, binding, "delete"):
            if plan.pattern.because == "expiry":
                windows = ", which also keeps them in windows of time that are dropped as a whole"
                yield FindingDraft(
                    problem=f'rows of "{binding.name}" are deleted because they are old, and each leaves a '
                    "tombstone that later reads walk over",
                    help=f"say ttl=timedelta(...) on the table{windows if has_windows else ''}",
                    subject=plan.pattern.name,
                    at=plan.pattern.at,
                )
