"""RED015: sessions are on one machine, and all users are logged out when it stops."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.program_resource import ProgramResource
from keywright.ir.text import counted

from ..findings.servers import servers

_COPIED = ("elasticache-serverless", "memorydb")
"""Services that keep copies in other zones by themselves.
Source: https://docs.aws.amazon.com/memorydb/latest/devguide/what-is-memorydb.html, 2026-11-22."""

_GROUP = "aws:elasticache/replicationGroup:ReplicationGroup"


def models(context: RuleContext, *, replicas: int = 1) -> Iterator[FindingDraft]:
    """Servers of sessions without enough replicas that can take over.

    replicas: the least number of replicas.
    """
    for server in servers(context):
        if server.spec.role == "sessions" and server.replicas < replicas and server.environment.flavour not in _COPIED:
            yield FindingDraft(
                problem=f'server "{server.name}" holds sessions and has {counted(server.replicas, "replica")}, '
                f"{counted(replicas, 'is wanted', 'are wanted')}: nothing takes over when it stops",
                help=f"say servers: {{{server.name}: {{replicas: {replicas}}}}} in the stack file",
                subject=server.name,
                at=server.stored.setting("replicas"),
            )


def resource(program_resource: ProgramResource, *, replicas: int = 1) -> Iterator[FindingDraft]:
    """Groups of ElastiCache without enough replicas, without automatic failover, or in a single zone.

    replicas: as above.
    """
    if program_resource.type != _GROUP:
        return
    nodes, copies = program_resource.value("numCacheClusters"), program_resource.value("replicasPerNodeGroup")
    copies = copies if copies is not None else (nodes or 1) - 1
    if copies < replicas:
        problem, help = (
            f"it has {counted(copies, 'replica')}, {counted(replicas, 'is wanted', 'are wanted')}",
            f"say num_cache_clusters={replicas + 1}",
        )
    elif not program_resource.value("automaticFailoverEnabled"):
        problem, help = "its replicas do not take over by themselves", "say automatic_failover_enabled=True"
    elif not program_resource.value("multiAzEnabled"):
        problem, help = "all of it may stand in one zone", "say multi_az_enabled=True"
    else:
        return
    yield FindingDraft(
        problem=f"{problem}: sessions are gone with a machine or its zone", help=help, subject=program_resource.urn
    )
