"""CAS005: old rows are deleted, although a time to live would expire them."""

from collections.abc import Iterator

from keywright.access.path import AccessPath
from keywright.access.search import Planned
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.rates import calls, items_per_second
from keywright.ir.binding import Binding
from keywright.ir.text import counted, figure

from ..access.calls_write import DeleteRows
from ..access.growth import YEAR, bucket_seconds, creates_rows, rows
from ..access.layout import Layout
from ..declare.options import CqlTable
from ..findings.tables import entities
from ..schema.target import KeyspaceTarget


def models(context: RuleContext, *, share: float = 0.5) -> Iterator[FindingDraft]:
    """Every deletion because of age, except in tables of counters, which cannot expire, and every job that deletes
    nearly as many rows of a series as are added, if none expires.

    share: rows that a job deletes for each new row, from which it enforces a period of retention.
    """
    for target, binding, layout in entities(context):
        has_windows = target.environment.flavour != "keyspaces"
        if layout.counters:
            continue
        for plan, rate in calls(context, binding, "delete"):
            if plan.pattern.because == "expiry":
                reason = "because they are old"
            elif jobs := _retention(context, binding, layout, plan, rate or 0, share):
                reason = jobs
            else:
                continue
            windows = ", which also keeps them in windows of time that are dropped as a whole"
            yield FindingDraft(
                problem=f'rows of "{binding.name}" are deleted {reason}, and each leaves a '
                "tombstone that later reads walk over",
                help=f"say ttl=timedelta(...) on the table{windows if has_windows else ''}",
                subject=plan.pattern.name,
                at=plan.pattern.at,
            )


def _retention(
    context: RuleContext,
    binding: Binding[CqlTable],
    layout: Layout,
    plan: Planned[KeyspaceTarget],
    rate: float,
    share: float,
) -> str:
    """The rates of a job that removes old rows of a series by many rows or whole buckets; empty for other deletes."""
    call = plan.path.call if isinstance(plan.path, AccessPath) else None
    added = items_per_second(context, binding, "put")
    is_lasting = not layout.is_expiring and layout.ttl is None
    if not isinstance(call, DeleteRows) or not added or not is_lasting or not creates_rows(layout, binding.spec.kind):
        return ""
    removed = rate * max(1, plan.pattern.batch)
    if len(call.key) == call.partition and bucket_seconds(layout) is not None:
        removed *= rows(layout, binding, added, YEAR) or 1
    elif plan.pattern.batch == 1 or binding.spec.kind == "queue":
        return ""
    if removed < share * added:
        return ""
    return f"by a job, {figure(removed)} for {counted(added, 'new row', spec=figure)} a second"
