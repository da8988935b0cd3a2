"""CAS114: a transaction is a larger batch than a node takes without complaint."""

from collections.abc import Iterator

from keywright.access.cost import NOTHING, Band
from keywright.access.path import AccessPath
from keywright.access.search import Planned
from keywright.engines.flaws.context import Flaw, Whole

from ..access.calls_write import Batch, Insert, Update
from ..access.layout import layout
from ..access.size import key_band, part_bytes, row_band
from ..capabilities import BATCH_BYTES_REFUSED, BATCH_BYTES_WARNED, LOGGED_BATCH
from ..target import KeyspaceTarget


def models(whole: Whole, *, warn_kb: int = BATCH_BYTES_WARNED.value // 2**10) -> Iterator[Flaw]:
    """Every transaction whose writes are too many bytes together, or too many for Keyspaces.

    warn_kb: kibibytes that a batch may have.
    """
    services = [one.placed for one in whole.of("cassandra") if one.environment.flavour == "keyspaces"]
    for plan in whole.plans:
        if not isinstance(plan.path, AccessPath) or not isinstance(plan.path.call, Batch):
            continue
        band = _bytes(plan)
        size, count = (
            band.low if band.expected is None else band.expected,
            sum(max(1, one.pattern.batch) for one in plan.parts),
        )
        problem = ""
        if count > LOGGED_BATCH.value and any(plan.target is one for one in services):
            problem = f"it is a batch of {count} writes, Keyspaces takes {LOGGED_BATCH.value}"
        elif size > warn_kb * 2**10:
            refused = BATCH_BYTES_REFUSED.value // 2**10
            problem = f"it is a batch of {size / 2**10:,.1f} KiB, {warn_kb} are allowed; a node refuses {refused}"
        if problem:
            yield Flaw(
                problem=problem,
                help="write fewer items in one transaction, or those by themselves that need not be atomic",
                subject=plan.pattern.name,
                at=plan.pattern.at,
            )


def _bytes(plan: Planned[KeyspaceTarget]) -> Band:
    """Bytes of what a transaction writes: keys, and of rows what changes."""
    found = NOTHING
    for part in plan.parts:
        known, call = layout(part.target, part.binding), getattr(part.path, "call", None)
        name = part.binding.entity.name
        if known is None:
            continue
        size = key_band(known, name)
        if isinstance(call, Insert):
            size = size + row_band(known, name)
        elif isinstance(call, Update):
            for one in call.assignments:
                column = next((other for other in known.parts.values() if other.name == one.cell.name), None)
                size = size + part_bytes(known, column, name) if column else size
        found = found + size * max(1, part.pattern.batch)
    return found
