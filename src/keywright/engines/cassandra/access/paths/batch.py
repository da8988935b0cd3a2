"""Transactions as logged batches, which all copies apply or none. Conditions are possible only inside one partition."""

from keywright.access.path import AccessPath, By, Candidate, Rejected
from keywright.access.search import Planned

from ...schema.target import KeyspaceTarget
from ..calls_write import Batch, DeleteRows, IncrementCounter, Insert, UpdateRow, Write, is_conditional
from .write import AGREED


def together(target: KeyspaceTarget, parts: tuple[Planned[KeyspaceTarget], ...]) -> Candidate:
    """See `Engine.together`."""
    by = By("table", target.name)
    writes: list[Write] = []
    for part in parts:
        call = part.access_path.call
        if not isinstance(call, (Insert, UpdateRow, IncrementCounter, DeleteRows)):
            return Rejected(by, f'"{part.pattern.name}" is not a write')
        if isinstance(call, IncrementCounter):
            return Rejected(by, f'"{call.column}" is a counter, and increments cannot be reverted: remove it')
        writes.append(call)
    for part, write in zip(parts, writes, strict=True):
        if part.pattern.is_ttl_given:
            return Rejected(by, f'"{part.pattern.name}" takes ttl= from its call, which a transaction has not: fix it')
        if isinstance(write, Insert) and write.timestamp is not None and any(map(is_conditional, writes)):
            return Rejected(by, f'"{part.pattern.name}" has timestamp=, and the copies agree on the time of conditions')
    has_conditions = any(map(is_conditional, writes))
    tables = sorted({write.table for write in writes})
    if has_conditions and len(tables) > 1:
        names = " and ".join(f'"{name}"' for name in tables)
        return Rejected(
            by, f"conditions apply only within one partition, and {names} are several tables: put whole items"
        )
    notes = ["atomic, but not isolated: a reader may see some of the writes before the others"]
    if has_conditions:
        notes = [AGREED, "all writes must be in one partition, because one of them has a condition"]
    is_eventual = all(write.level == "LOCAL_ONE" for write in writes)
    batch = Batch(tuple(writes), has_conditions, "LOCAL_ONE" if is_eventual else "LOCAL_QUORUM")
    tables_by = By("table", " and ".join(tables))
    fan_out = 1 if has_conditions else sum(max(1, part.pattern.batch) for part in parts)
    return AccessPath(
        tables_by, batch, fan_out, consistency="eventual" if is_eventual else "strong", notes=tuple(notes)
    )
