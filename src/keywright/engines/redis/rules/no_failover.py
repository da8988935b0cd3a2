"""RED015: sessions are on one machine, and everybody is logged out when it stops."""

from collections.abc import Iterator

from keywright.engines.flaws.context import Flaw, Whole

from ..kept import servers

_COPIED = ("elasticache-serverless", "memorydb")
"""Services that keep copies in other zones by themselves.
Source: https://docs.aws.amazon.com/memorydb/latest/devguide/what-is-memorydb.html, 2026-11-22."""


def models(whole: Whole, *, replicas: int = 1) -> Iterator[Flaw]:
    """Every server of sessions without enough copies that can take over.

    replicas: copies that it has to have.
    """
    for server in servers(whole):
        if server.spec.role == "sessions" and server.replicas < replicas and server.environment.flavour not in _COPIED:
            yield Flaw(
                problem=f'server "{server.name}" holds sessions and has {server.replicas} replicas, {replicas} are '
                "wanted: nothing takes over when it stops",
                help=f"say servers: {{{server.name}: {{replicas: {replicas}}}}} in the stack file",
                subject=server.name,
                at=server.stored.stack,
            )
