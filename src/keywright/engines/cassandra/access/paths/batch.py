"""Transactions: a logged batch, which all copies get or none; conditions only inside one partition."""

from keywright.access.path import AccessPath, By, Candidate, Rejected
from keywright.access.search import Planned

from ..target import KeyspaceTarget
from .calls_write import Batch, Delete, Increment, Insert, Update, Write, is_conditional
from .paths_write import AGREED


def together(target: KeyspaceTarget, parts: tuple[Planned[KeyspaceTarget], ...]) -> Candidate:
    """See `Engine.together`."""
    by = By("table", target.name)
    writes: list[Write] = []
    for part in parts:
        assert isinstance(part.path, AccessPath)
        call = part.path.call
        if not isinstance(call, (Insert, Update, Increment, Delete)):
            return Rejected(by, f'"{part.pattern.name}" is no write')
        if isinstance(call, Increment):
            return Rejected(by, f'"{call.column}" is a counter, and its steps are never undone: leave it out')
        writes.append(call)
    conditional = any(map(is_conditional, writes))
    tables = sorted({write.table for write in writes})
    if conditional and len(tables) > 1:
        names = " and ".join(f'"{name}"' for name in tables)
        return Rejected(
            by, f"conditions hold inside one partition only, and {names} are several tables: put whole items"
        )
    notes = ["atomic, but not isolated: a reader may see some of the writes before the others"]
    if conditional:
        notes = [AGREED, "all writes must be in one partition, for one of them has a condition"]
    is_eventual = all(write.level == "LOCAL_ONE" for write in writes)
    batch = Batch(tuple(writes), conditional, "LOCAL_ONE" if is_eventual else "LOCAL_QUORUM")
    names_of = By("table", " and ".join(tables))
    fan_out = 1 if conditional else sum(max(1, part.pattern.batch) for part in parts)
    return AccessPath(names_of, batch, fan_out, consistency="eventual" if is_eventual else "strong", notes=tuple(notes))
