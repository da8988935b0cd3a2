"""RED022: a slow replica makes a buffer of its server grow until memory is exhausted."""

import re
from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext

from ..findings.servers import servers

_UNLIMITED = re.compile(r"\b(?:slave|replica) 0 0 \d+")


def models(context: RuleContext) -> Iterator[FindingDraft]:
    """Servers with replicas whose output buffer has neither a hard nor a soft limit."""
    for server in servers(context):
        if server.replicas and _UNLIMITED.search(server.settings.get("client-output-buffer-limit", "")):
            yield FindingDraft(
                problem=f'the output buffer of replicas of server "{server.name}" has no limit: a slow replica fills '
                "the memory of its primary",
                help='set settings={"client-output-buffer-limit": "replica 256mb 64mb 60"}, or leave it out',
                subject=server.name,
            )
