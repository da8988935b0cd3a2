"""RED020: a directive lets a server confirm writes that its disk does not receive."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext

from ..findings.servers import servers
from ..schema.capabilities import is_service


def models(
    context: RuleContext, *, roles: tuple[str, ...] = ("sessions", "queue", "primary")
) -> Iterator[FindingDraft]:
    """Servers that accept writes after a failed snapshot, or do not flush their log while it is rewritten.

    roles: roles of servers whose data must survive a restart.
    """
    for server in servers(context):
        if server.spec.role not in roles or is_service(server.environment.flavour):
            continue
        settings = server.settings
        if settings.get("stop-writes-on-bgsave-error") == "no" and settings.get("save"):
            yield FindingDraft(
                problem=f'server "{server.name}" accepts writes after a failed snapshot: nobody notices that the disk '
                "has received nothing since",
                help='remove "stop-writes-on-bgsave-error" from settings=',
                subject=server.name,
            )
        is_flushed = settings.get("appendonly") == "yes" and settings.get("appendfsync") != "no"
        if settings.get("no-appendfsync-on-rewrite") == "yes" and is_flushed:
            yield FindingDraft(
                problem=f'server "{server.name}" does not flush its log while it rewrites it: a crash then loses up to '
                "30 seconds of writes",
                help='remove "no-appendfsync-on-rewrite" from settings=',
                subject=server.name,
            )
