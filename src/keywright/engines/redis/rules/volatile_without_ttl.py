"""RED007: only keys that expire may be evicted, and none does."""

from collections.abc import Iterator

from keywright.engines.flaws.context import Flaw, Whole

from ..kept import expires, servers


def models(whole: Whole) -> Iterator[Flaw]:
    """Every server with such a policy on which nothing expires, though somebody meant so."""
    for server in servers(whole):
        if not server.policy.startswith("volatile-") or not server.entities:
            continue
        if server.spec.role in ("queue", "primary") or any(expires(known) for _, known in server.entities):
            continue
        if all(getattr(binding.spec, "keep_forever", None) for binding, _ in server.entities):
            yield Flaw(
                problem=f'server "{server.name}" evicts by "{server.policy}", which only drops keys that expire, and '
                "none does: when memory is full, every write fails",
                help="give what may go a ttl=timedelta(...); or keep it on a server in the role of primary",
                subject=server.name,
            )
