"""RED015: sessions are on one machine, and everybody is logged out when it stops."""

from collections.abc import Iterator

from keywright.engines.flaws.context import Flaw, Whole
from keywright.engines.flaws.resource import Resource

from ..kept import servers

_COPIED = ("elasticache-serverless", "memorydb")
"""Services that keep copies in other zones by themselves.
Source: https://docs.aws.amazon.com/memorydb/latest/devguide/what-is-memorydb.html, 2026-11-22."""

_GROUP = "aws:elasticache/replicationGroup:ReplicationGroup"


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


def resource(one: Resource, *, replicas: int = 1) -> Iterator[Flaw]:
    """Every group of ElastiCache without enough copies, or in which none takes over by itself, in another zone.

    replicas: as above.
    """
    if one.type != _GROUP:
        return
    nodes, copies = one.value("numCacheClusters"), one.value("replicasPerNodeGroup")
    copies = copies if copies is not None else (nodes or 1) - 1
    if copies < replicas:
        problem, help = f"it has {copies} replicas, {replicas} are wanted", f"say num_cache_clusters={replicas + 1}"
    elif not one.value("automaticFailoverEnabled"):
        problem, help = "its replicas do not take over by themselves", "say automatic_failover_enabled=True"
    elif not one.value("multiAzEnabled"):
        problem, help = "all of it may stand in one zone", "say multi_az_enabled=True"
    else:
        return
    yield Flaw(problem=f"{problem}: sessions are gone with a machine or its zone", help=help, subject=one.urn)
