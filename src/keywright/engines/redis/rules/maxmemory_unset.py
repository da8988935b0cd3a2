"""RED001: a server may take all memory of its machine."""

from collections.abc import Iterator

from keywright.engines.flaws.context import Flaw, Stored
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
