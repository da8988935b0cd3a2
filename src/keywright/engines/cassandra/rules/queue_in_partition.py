"""CAS012: a partition is used as a queue, so that reads scan the tombstones of all deleted rows."""

from collections.abc import Iterator

from keywright.access.path import AccessPath
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.rates import calls, items_per_second
from keywright.ir.binding import Binding
from keywright.ir.text import counted

from ..access.calls import Select
from ..access.growth import is_moment, tombstones
from ..access.layout import Layout
from ..declare.options import CqlTable
from ..findings.tables import entities
from ..findings.turnover import deleted
from ..schema.capabilities import TOMBSTONES_WARNED


def models(
    context: RuleContext,
    *,
    share: float = 0.1,
    max_tombstones: int = TOMBSTONES_WARNED.value,
    consumed_per_second: float = 10,
) -> Iterator[FindingDraft]:
    """Every table whose partitions have nearly as many deletions as reads, every declared queue, and every table whose
    oldest rows are read and deleted as fast as new ones are put, in partitions of unknown number.

    share: deletions allowed per read. max_tombstones: tombstones allowed in a partition in any case.
    consumed_per_second: deletions allowed per second in partitions of unknown number.
    """
    for _, binding, layout in entities(context):
        if not layout.table.clustering or layout.counters:
            continue
        deletions, reads = deleted(context, binding), items_per_second(context, binding, "read", "count")
        tombstone_count = tombstones(layout, deletions)
        is_queue = binding.spec.kind == "queue" and any(calls(context, binding, "delete"))
        is_read_from_its_head = tombstone_count is None and _is_consumed(context, binding, layout, consumed_per_second)
        if not is_queue and not is_read_from_its_head and not is_heavy(context, binding, layout, share, max_tombstones):
            continue
        use = (
            f"{counted(deletions, 'row', spec=',.0f')} deleted and {counted(reads, 'read', spec=',.0f')} made a second"
            if deletions and reads
            else "it is a queue"
        )
        effect = (
            f", which leaves {counted(tombstone_count, 'tombstone', spec=',.0f')} in a partition"
            if tombstone_count
            else ""
        )
        yield FindingDraft(
            problem=f"{use}{effect}; every read walks over them",
            help="keep a queue in a RedisStream or RedisList; or cut the partition by time and let rows expire by ttl=",
            subject=binding.name,
        )


def is_heavy(
    context: RuleContext,
    binding: Binding[CqlTable],
    layout: Layout,
    share: float = 0.1,
    max_tombstones: int = TOMBSTONES_WARNED.value,
) -> bool:
    """Whether a partition has nearly as many deletions as reads, and too many tombstones."""
    deletions, reads = deleted(context, binding), items_per_second(context, binding, "read", "count")
    is_frequent = bool(deletions and reads and deletions > share * reads)
    return is_frequent and (tombstones(layout, deletions) or 0) > max_tombstones


def _is_consumed(context: RuleContext, binding: Binding[CqlTable], layout: Layout, per_second: float) -> bool:
    """Whether pages begin at the oldest row, and as many rows are deleted one by one as are put."""
    deletions, puts = deleted(context, binding, "request") or 0, items_per_second(context, binding, "put") or 0
    first = layout.table.clustering[0]
    if first.is_descending or not is_moment(first) or deletions <= per_second or deletions < puts / 2:
        return False
    pages = [
        plan.path.call.open[0]
        for plan, _ in calls(context, binding, "read")
        if plan.pattern.limit
        and isinstance(plan.path, AccessPath) and isinstance(plan.path.call, Select) and plan.path.call.open
    ]  # fmt: skip
    return any(column.cell.name == first.cell.name and not column.is_descending for column in pages)
