"""RED001: a server may take all memory of its machine."""

from collections.abc import Iterator

from keywright.engines.flaws.context import Flaw, Stored
from keywright.engines.flaws.observation import Seen
from keywright.engines.redis.capabilities import is_service


def stored(one: Stored) -> Iterator[Flaw]:
    """A server without a bound; services have one of their own."""
    if not is_service(one.environment.flavour) and "maxmemory" not in dict(one.placed.settings):
        yield Flaw(
            problem=f'server "{one.declared.name}" has no maxmemory, and by itself takes all there is',
            help="say ram: of its machine in the stack file: three quarters of it are for data",
            subject=one.declared.name,
            at=one.stack,
        )


def live(seen: Seen) -> Iterator[Flaw]:
    """A running server without a bound, though the environment says one."""
    if seen.found.figure("maxmemory") == 0 and "maxmemory" in dict(seen.target.placed.settings):
        yield Flaw(
            problem=f'server "{seen.name}" runs without maxmemory, and uses '
            f"{(seen.found.figure('used_memory') or 0) / 2**20:,.0f} MiB by now",
            help="`keywright migrate apply` sets it again; see who took it away",
            subject=seen.name,
            at=seen.target.stack,
        )
