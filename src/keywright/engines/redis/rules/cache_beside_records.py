"""RED027: cached copies and records that exist nowhere else share one server."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.errors import quoted

from ..findings.copies import copied, elsewhere, is_copy
from ..findings.servers import expires, servers

_ALONE = "cache", "string", "hash", "json", "counter"
"""Structures with a key for each item, filled read by read; a set of all members is rebuilt at once."""


def models(context: RuleContext, *, roles: tuple[str, ...] = ("queue", "primary")) -> Iterator[FindingDraft]:
    """Servers in such a role with both; on a server in the role of cache, RED005 reports the records.

    roles: roles of servers whose data must not be evicted.
    """
    stored_elsewhere = elsewhere(context)
    for server in servers(context):
        alone = server.only_copies(stored_elsewhere)
        copies = [
            binding.name
            for binding, layout in server.entities
            if is_copy(binding) and (expires(layout.structure) or not copied(binding)) and layout.kind in _ALONE
        ]
        records = [
            binding.name
            for binding, layout in server.entities
            if binding.name in alone and binding.name not in copies and layout.kind != "rate limit"
        ]
        if server.spec.role in roles and copies and records:
            yield FindingDraft(
                problem=f'server "{server.name}" has cached copies, {quoted(copies)}, beside the only copy of '
                f'{quoted(records[:3])}: with "{server.policy}" either the cache blocks writes or records are evicted',
                help='move the copies to a server of their own: kw.RedisServer(..., role="cache")',
                subject=server.name,
            )
