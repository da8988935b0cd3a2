"""RED007: only keys that expire may be evicted, and none does."""

from collections.abc import Iterator

from keywright.engines.flaws.context import Flaw, Whole
from keywright.engines.flaws.observation import Seen

from ..kept import expires, servers


def models(whole: Whole) -> Iterator[Flaw]:
    """Every server with such a policy on which nothing expires, though somebody meant so."""
    for server in servers(whole):
        if not server.policy.startswith("volatile-") or not server.entities:
            continue
        if server.spec.role in ("queue", "primary") or any(expires(known.structure) for _, known in server.entities):
            continue
        if all(getattr(binding.spec, "keep_forever", None) for binding, _ in server.entities):
            yield Flaw(
                problem=f'server "{server.name}" evicts by "{server.policy}", which only drops keys that expire, and '
                "none does: when memory is full, every write fails",
                help="give what may go a ttl=timedelta(...); or keep it on a server in the role of primary",
                subject=server.name,
            )


def live(seen: Seen) -> Iterator[Flaw]:
    """A running server with such a policy on which not one key expires."""
    keys, expiring = (seen.found.figure(name) for name in ("keys", "keys_expiring"))
    policy = str(seen.found.figures.get("maxmemory_policy", ""))
    if policy.startswith("volatile-") and keys and expiring == 0 and any(_expiring(seen)):
        yield Flaw(
            problem=f'server "{seen.name}" evicts by "{policy}", and none of its {keys:,.0f} keys expires: when memory '
            "is full, every write fails",
            help="find out who writes them without their ttl=",
            subject=seen.name,
        )


def _expiring(seen: Seen) -> Iterator[bool]:
    """Whether keys that were met should expire."""
    for server in servers(seen.whole):
        if server.stored is seen.target:
            met = {binding.name for binding, _ in seen.items()}
            yield from (expires(known.structure) for binding, known in server.entities if binding.name in met)
