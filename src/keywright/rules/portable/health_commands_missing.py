"""MON005: a store cannot be asked how it is, or it is not well."""

from collections.abc import Iterator

from keywright.engines.flaws.context import Flaw
from keywright.engines.flaws.observation import Seen


def live(seen: Seen) -> Iterator[Flaw]:
    """Every target of which something could not be looked at, or that says of itself that it is not well."""
    if seen.found.unseen:
        more = f", and {len(seen.found.unseen) - 1} more" if len(seen.found.unseen) > 1 else ""
        yield Flaw(
            problem=f"not all of it can be looked at: {seen.found.unseen[0]}{more}",
            help="give whoever runs `keywright check --live` the right to read it, or more time",
            subject=seen.name,
        )
    for problem in _unwell(seen):
        yield Flaw(problem=problem, help="see the log of the server, and who watches it", subject=seen.name)


def _unwell(seen: Seen) -> Iterator[str]:
    """What is wrong by the server's own figures, where no other rule tells it."""
    found = seen.found
    for place, figures in found.tables.items():
        status = figures.get("status", "ACTIVE")
        if status not in ("ACTIVE", "UPDATING"):
            yield f'table "{place}" is {status}'
    if (schemas := found.figure("schemas") or 1) > 1:
        yield f"its nodes have {schemas:.0f} different schemas"
    if (waiting := found.figure("hints_seconds") or 0) > _HINTS_SECONDS:
        yield f"writes have waited for {waiting / 3600:.1f} hours for a node that is down"
    if (pending := found.figure("compactions_pending") or 0) > _COMPACTIONS:
        yield f"{pending:.0f} compactions wait, {_COMPACTIONS} are a good bound"
    hits, misses = (found.figure(f"keyspace_{name}") or 0 for name in ("hits", "misses"))
    is_cache = str(found.figures.get("maxmemory_policy")).startswith("allkeys-")
    if is_cache and hits + misses > _LOOKUPS and hits < (hits + misses) * _HITS:
        yield f"only {hits / (hits + misses):.0%} of {hits + misses:,.0f} lookups have found their key"
    if found.figures.get("master_link_status") == "down":
        yield "it has lost its primary"
    if (behind := found.figure("lag_seconds") or 0) > _LAG_SECONDS:
        yield f"a secondary is {behind:.0f} s behind, {_LAG_SECONDS} are a good bound"
    taken, most = (found.figure(name) or 0 for name in ("connections", "connections_most"))
    if most and taken > most * _CONNECTIONS:
        yield f"{taken:.0f} of {most:.0f} connections are taken"


_HINTS_SECONDS = 3600
"""After that long, a node had better be repaired when it comes back."""
_COMPACTIONS = 50
_LAG_SECONDS = 10
_CONNECTIONS = 0.8
_HITS, _LOOKUPS = 0.8, 10_000
"""As the alerts of `keywright monitor` have them by default."""
