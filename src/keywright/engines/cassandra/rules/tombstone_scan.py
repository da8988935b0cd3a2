"""CAS010: a query scans more tombstones than the warning threshold of a node."""

from collections.abc import Iterator

from keywright.access.path import AccessPath
from keywright.access.search import Planned
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.observation import LiveTarget
from keywright.engines.findings.rates import calls
from keywright.ir.text import counted

from ..access.calls import Select
from ..access.growth import YEAR, bucket_seconds, is_moment, rows, tombstones
from ..access.layout import Layout
from ..findings.tables import entities
from ..findings.turnover import added, deleted
from ..schema.capabilities import TOMBSTONES_REFUSED, TOMBSTONES_WARNED
from ..schema.target import KeyspaceTarget
from .queue_in_partition import is_heavy


def models(
    context: RuleContext, *, warn: int = TOMBSTONES_WARNED.value, abort: int = TOMBSTONES_REFUSED.value, years: int = 3
) -> Iterator[FindingDraft]:
    """Every read of a partition with too many tombstones, by the declared rates and numbers of values. CAS012 reports
    tables that are used as queues, CAS064 deleted counters.

    warn: most tombstones in a query. abort: tombstones above which a node aborts a query. years: time over which a
    partition that never stops growing is estimated.
    """
    for _, binding, layout in entities(context):
        old, others = (tombstones(layout, deleted(context, binding, why)) or 0 for why in ("expiry", "request"))
        if bucket_seconds(layout) is not None:
            old = 0  # no pattern reads buckets of expired rows
        if old + others <= warn or layout.counters or is_heavy(context, binding, layout):
            continue
        live = rows(layout, binding, added(context, binding), years * YEAR)
        for plan, _ in calls(context, binding, "read", "count"):
            count = _tombstones_met(layout, plan, old, others, live)
            if count > warn:
                limit_text = (
                    f"at {abort:,} a node gives it up" if count <= abort else f"and a node gives up at {abort:,}"
                )
                yield FindingDraft(
                    problem=f"one call walks over about {counted(count, 'tombstone', spec=',.0f')}, "
                    f"{counted(warn, 'is allowed', 'are allowed', spec=',')}, {limit_text}",
                    help="let rows expire by ttl= instead of deleting them, or add a bucket of time to partition=",
                    subject=plan.pattern.name,
                    at=plan.pattern.at,
                )


def live(
    live_target: LiveTarget, *, warn: int = TOMBSTONES_WARNED.value, abort: int = TOMBSTONES_REFUSED.value
) -> Iterator[FindingDraft]:
    """Every table whose reads scan too many, by the statistics of the sampled node."""
    for table, figures in live_target.observation.tables.items():
        p99, peak = (figures.get(name, 0) for name in ("tombstones_p99", "tombstones_most"))
        if isinstance(p99, (int, float)) and isinstance(peak, (int, float)) and p99 > warn:
            yield FindingDraft(
                problem=f"one read in a hundred of {table} walks over "
                f"{counted(p99, 'tombstone', spec=',.0f')} or more, the worst over "
                f"{peak:,.0f}; {counted(warn, 'is allowed', 'are allowed', spec=',')}, at {abort:,} a node gives it up",
                help="let rows expire by ttl= instead of deleting them, or add a bucket of time to partition=",
                subject=live_target.subject(table),
            )


def _tombstones_met(
    layout: Layout, plan: Planned[KeyspaceTarget], old: float, others: float, live: float | None
) -> float:
    """Tombstones in a page.

    A read of the whole partition meets all. A page meets those of the oldest rows if it begins there, and its share of
    tombstones at any position.
    """
    call = plan.path.call if isinstance(plan.path, AccessPath) else None
    if not isinstance(call, Select) or call.relation != layout.table.name or call.clustering or call.bounds:
        return 0
    if plan.pattern.kind == "count" or plan.pattern.limit is None:
        return old + others
    first = call.open[0] if call.open else None
    part = next((column for column in layout.table.clustering if first and column.name == first.cell.name), None)
    count = old if first and part and is_moment(part) and not first.is_descending else 0.0
    return count + (others * min(1, plan.pattern.limit / live) if live else 0)
