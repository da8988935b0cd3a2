"""MON005: the live check cannot read the health of a store, or a store is unhealthy."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft
from keywright.engines.findings.observation import LiveTarget
from keywright.ir.text import counted


def live(live_target: LiveTarget) -> Iterator[FindingDraft]:
    """Report every target that could not be observed completely, or whose own figures are unhealthy."""
    if live_target.observation.unseen:
        more = (
            f", and {len(live_target.observation.unseen) - 1} more" if len(live_target.observation.unseen) > 1 else ""
        )
        yield FindingDraft(
            problem=f"it could not be observed completely: {live_target.observation.unseen[0]}{more}",
            help="grant read permission to the user of `keywright check --live`, or allow more time",
            subject=live_target.name,
        )
    for problem in _unhealthy(live_target):
        yield FindingDraft(
            problem=problem, help="read the log of the server, and check its monitoring", subject=live_target.name
        )


def _unhealthy(live_target: LiveTarget) -> Iterator[str]:
    """Problems in the server's own figures that no other rule reports."""
    observation = live_target.observation
    for place, figures in observation.tables.items():
        status = figures.get("status", "ACTIVE")
        if status not in ("ACTIVE", "UPDATING"):
            yield f'table "{place}" is {status}'
    if (schemas := observation.figure("schemas") or 1) > 1:
        yield f"its nodes have {counted(schemas, 'different schema', spec='.0f')}"
    if (waiting := observation.figure("hints_seconds") or 0) > _HINTS_SECONDS:
        yield f"writes have been waiting for {counted(waiting / 3600, 'hour', spec='.1f')} for a node that is down"
    if (pending := observation.figure("compactions_pending") or 0) > _COMPACTIONS:
        yield f"{counted(pending, 'compaction waits', 'compactions wait', spec='.0f')}, {_COMPACTIONS} are recommended"
    hits, misses = (observation.figure(f"keyspace_{name}") or 0 for name in ("hits", "misses"))
    is_cache = str(observation.figures.get("maxmemory_policy")).startswith("allkeys-")
    if is_cache and hits + misses > _LOOKUPS and hits < (hits + misses) * _HITS:
        yield (f"only {hits / (hits + misses):.0%} of {counted(hits + misses, 'lookup', spec=',.0f')} found a key")
    if observation.figures.get("master_link_status") == "down":
        yield "it has lost its primary"
    if (behind := observation.figure("lag_seconds") or 0) > _LAG_SECONDS:
        yield f"a secondary is {behind:.0f} s behind, {_LAG_SECONDS} are recommended"
    used, most = (observation.figure(name) or 0 for name in ("connections", "connections_most"))
    if most and used > most * _CONNECTIONS:
        yield f"{used:.0f} of {counted(most, 'possible connection', spec='.0f')} in use"


_HINTS_SECONDS = 3600
"""A node that was down for longer needs a repair."""
_COMPACTIONS = 50
_LAG_SECONDS = 10
_CONNECTIONS = 0.8
_HITS, _LOOKUPS = 0.8, 10_000
"""The default thresholds of `keywright monitor`."""
