"""RED044: locks are on a server that may drop them while their holders work."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext

from ..findings.locks import locks
from ..findings.servers import expires


def models(context: RuleContext) -> Iterator[FindingDraft]:
    """Locks on servers in roles that evict keys, or lose all of them in a restart.

    RED002 and RED005 report servers of queues and primary data that do so.
    """
    for server, binding, layout in locks(context):
        if server.spec.role in ("queue", "primary"):
            continue
        is_evicted = server.policy.startswith("allkeys") or (
            server.policy.startswith("volatile") and expires(layout.structure)
        )
        is_lost = not server.is_logged and not server.settings.get("save") and not server.replicas
        if is_evicted or is_lost:
            why = f'evicts by "{server.policy}" when memory is full' if is_evicted else "loses all keys in a restart"
            yield FindingDraft(
                problem=f'the lock "{layout.key.text}" is on server "{server.name}", which {why}: a second holder '
                "then starts beside the first",
                help='store it on a server of its own with role="primary", which evicts nothing and logs its writes',
                subject=binding.name,
            )
