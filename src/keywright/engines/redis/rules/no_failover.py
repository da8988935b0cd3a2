"""RED015: sessions, queues or records are on one machine, and unavailable when it stops."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.program.resource import ProgramResource
from keywright.ir.text import counted

from ..findings.copies import elsewhere
from ..findings.servers import servers

_COPIED = ("elasticache-serverless", "memorydb")
"""Services that keep copies in other zones by themselves.
Source: https://docs.aws.amazon.com/memorydb/latest/devguide/what-is-memorydb.html, 2026-11-22."""

_WHY = {
    "sessions": "all users are logged out",
    "queue": "all workers stop, and work that is not on disk is lost",
    "primary": "its records are unavailable, and perhaps lost",
}

_GROUP = "aws:elasticache/replicationGroup:ReplicationGroup"


def models(context: RuleContext, *, replicas: int = 1) -> Iterator[FindingDraft]:
    """Servers in the roles of sessions, queue and primary without enough replicas that can take over.

    replicas: the least number of replicas.
    """
    stored_elsewhere = elsewhere(context)
    for server in servers(context):
        is_partial = context.follows_models or server.environment.data_percent is not None
        if is_partial and server.spec.role != "sessions":
            continue  # outside production, a machine may stop
        why = _WHY.get(server.spec.role)
        is_copied = server.has_copies_only or (
            server.spec.role == "primary" and not server.only_copies(stored_elsewhere)
        )
        is_safe = server.replicas >= replicas or server.environment.flavour in _COPIED
        if why is not None and not is_safe and not is_copied:
            yield FindingDraft(
                problem=f'server "{server.name}" in the role of {server.spec.role} has '
                f"{counted(server.replicas, 'replica')}, {counted(replicas, 'is required', 'are required')}: when its "
                f"machine stops, {why}",
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
