"""RED008: single fields of an object are changed, but the object is stored as one text."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.rates import calls

from ..findings.servers import entities


def models(context: RuleContext) -> Iterator[FindingDraft]:
    """Updates and increments of a field inside JSON; RED009 reports a number that is the only field."""
    for _, binding, layout in entities(context):
        if layout.kind not in ("string", "cache") or layout.value is not None:
            continue
        for plan, _ in calls(context, binding, "update", "increment"):
            pattern = plan.pattern
            if pattern.unserved is not None or (pattern.kind == "increment" and len(layout.stored) == 1):
                continue
            names = [*pattern.sets, *pattern.unset, *([pattern.field] if pattern.field else [])]
            listed = ", ".join(f'"{name}"' for name in names) or "a part"
            yield FindingDraft(
                problem=f'it changes {listed} alone, and "{binding.name}" is one JSON text, which is written whole',
                help="store it as kw.RedisHash(...), whose fields are written one by one; or put the whole item",
                subject=pattern.name,
                at=pattern.at,
            )
