"""CAS114: a transaction is a batch above the warning thresholds of a node, in bytes or partitions."""

from collections.abc import Iterator

from keywright.access.cost import NOTHING, Band
from keywright.access.path import AccessPath
from keywright.access.search import Planned
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.ir.text import counted

from ..access.calls_write import Batch, Insert, UpdateRow
from ..access.layout import layout
from ..access.size import key_band, part_bytes, row_band
from ..schema.capabilities import BATCH_BYTES_REFUSED, BATCH_BYTES_WARNED, BATCH_PARTITIONS_WARNED, LOGGED_BATCH
from ..schema.target import KeyspaceTarget


def models(
    context: RuleContext,
    *,
    warn_kb: int = BATCH_BYTES_WARNED.value // 2**10,
    max_partitions: int = BATCH_PARTITIONS_WARNED.value,
) -> Iterator[FindingDraft]:
    """Every transaction whose writes have too many bytes or partitions together, or are too many for Keyspaces.

    warn_kb: most kibibytes of a batch. max_partitions: most partitions of a batch, counted in tables in which each row
    is a partition.
    """
    keyspaces = [target.placed for target in context.of("cassandra") if target.environment.flavour == "keyspaces"]
    for plan in context.plans:
        if not isinstance(plan.path, AccessPath) or not isinstance(plan.path.call, Batch):
            continue
        band = _bytes(plan)
        size, count = (
            band.low if band.expected is None else band.expected,
            sum(max(1, part.pattern.batch) for part in plan.parts),
        )
        problem = ""
        if count > LOGGED_BATCH.value and any(plan.target is keyspace for keyspace in keyspaces):
            problem = f"it is a batch of {counted(count, 'write')}, Keyspaces takes {LOGGED_BATCH.value}"
        elif size > warn_kb * 2**10:
            failure_kb = BATCH_BYTES_REFUSED.value // 2**10
            problem = (
                f"it is a batch of {size / 2**10:,.1f} KiB, "
                f"{counted(warn_kb, 'is allowed', 'are allowed')}; a node refuses {failure_kb}"
            )
        elif (partitions := _partitions(plan)) > max_partitions:
            problem = (
                f"it writes {counted(partitions, 'partition')} in one logged batch, which one node coordinates; "
                f"{counted(max_partitions, 'is allowed', 'are allowed')}"
            )
        if problem:
            yield FindingDraft(
                problem=problem,
                help="write fewer items in one transaction, or those by themselves that need not be atomic",
                subject=plan.pattern.name,
                at=plan.pattern.at,
            )


def _partitions(plan: Planned[KeyspaceTarget]) -> int:
    """Partitions of a transaction, as far as they are certain: several rows of a wide partition count as one."""
    counts = list[int]()
    for part in plan.parts:
        entity_layout = layout(part.target, part.binding)
        is_wide = entity_layout is not None and bool(entity_layout.table.clustering)
        counts.append(1 if is_wide else max(1, part.pattern.batch))
    return sum(counts)


def _bytes(plan: Planned[KeyspaceTarget]) -> Band:
    """Bytes that a transaction writes: keys and the changed parts of rows."""
    band = NOTHING
    for part in plan.parts:
        call = part.path.call if isinstance(part.path, AccessPath) else None
        entity_layout = layout(part.target, part.binding)
        name = part.binding.entity.name
        if entity_layout is None:
            continue
        size = key_band(entity_layout, name)
        if isinstance(call, Insert):
            size = size + row_band(entity_layout, name)
        elif isinstance(call, UpdateRow):
            for assignment in call.assignments:
                column = next(
                    (other for other in entity_layout.parts.values() if other.name == assignment.cell.name), None
                )
                size = size + part_bytes(entity_layout, column, name) if column else size
        band = band + size * max(1, part.pattern.batch)
    return band
