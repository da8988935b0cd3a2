"""CAS065: an update of some values outlives the row that a put with a time to live has written."""

from collections.abc import Iterator
from datetime import timedelta

from keywright.access.path import AccessPath
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.rates import calls, span
from keywright.errors import quoted

from ..access.calls_write import Insert, Lifetime, UpdateRow, lifetime_of
from ..access.layout import Layout
from ..findings.tables import entities


def models(context: RuleContext) -> Iterator[FindingDraft]:
    """Report updates of an entity whose puts have a time to live, if they leave out a field that a row needs."""
    for _, binding, layout in entities(context):
        lives = {
            plan.pattern.name: lifetime
            for plan, _ in calls(context, binding, "put")
            if isinstance(plan.path, AccessPath)
            and isinstance(call := plan.path.call, Insert)
            and (lifetime := lifetime_of(call)) is not None
        }
        for plan, _ in calls(context, binding, "update") if lives else ():
            call = plan.path.call if isinstance(plan.path, AccessPath) else None
            left_out = _left_out(layout, call) if isinstance(call, UpdateRow) else []
            if not left_out:
                continue
            name, lifetime = next(iter(lives.items()))
            yield FindingDraft(
                problem=f'"{name}" keeps a row {_time(lifetime)}, and the changed values stay longer, '
                f"in a row without {quoted(left_out[:3])} that no read accepts",
                help="put the whole item instead, or let it expire by kw.Ttl() on a datetime field",
                subject=plan.pattern.name,
                at=plan.pattern.at,
            )


def _left_out(layout: Layout, call: UpdateRow) -> list[str]:
    """Required fields that an update does not write."""
    written = {assignment.cell.name for assignment in call.assignments if assignment.part is None}
    keys = {part.name for part in layout.keys} | layout.statics
    return [
        attribute.name
        for attribute in layout.attributes
        if attribute.is_required
        and not attribute.is_nullable
        and (part := layout.parts.get(attribute.name)) is not None
        and part.name not in keys | written
    ]


def _time(lifetime: Lifetime) -> str:
    return "for a given time" if lifetime.seconds is None else f"for {span(timedelta(seconds=lifetime.seconds))}"
