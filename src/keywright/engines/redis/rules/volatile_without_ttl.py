"""RED007: the policy evicts only keys that expire, and no key expires."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.observation import LiveTarget
from keywright.ir.text import counted

from ..findings.servers import expires, servers


def models(context: RuleContext) -> Iterator[FindingDraft]:
    """Servers with such a policy on which nothing expires: their role needs another, or all entities are kept forever.

    RED004 reports a single entity of sessions or limiters, and those of a temporary kind, which need an expiry.
    """
    for server in servers(context):
        if not server.policy.startswith("volatile-") or not server.entities:
            continue
        if any(expires(layout.structure) for _, layout in server.entities):
            continue
        has_misfit = server.is_unevictable or server.spec.role not in ("sessions", "limiter")
        if has_misfit or all(binding.spec.keep_forever for binding, _ in server.entities):
            yield FindingDraft(
                problem=f'server "{server.name}" evicts by "{server.policy}", which only drops keys that expire, and '
                "none does: when memory is full, every write fails",
                help="set ttl= on entities that may be evicted; or leave out eviction=, on a server in the role of "
                "primary or cache",
                subject=server.name,
            )


def live(live_target: LiveTarget) -> Iterator[FindingDraft]:
    """A running server with such a policy on which no key expires."""
    keys, expiring = (live_target.observation.figure(name) for name in ("keys", "keys_expiring"))
    policy = str(live_target.observation.figures.get("maxmemory_policy", ""))
    if policy.startswith("volatile-") and keys and expiring == 0 and any(_expiring(live_target)):
        yield FindingDraft(
            problem=f'server "{live_target.name}" evicts by "{policy}", and none of its '
            f"{counted(keys, 'key', spec=',.0f')} expires: when memory "
            "is full, every write fails",
            help="find out who writes them without their ttl=",
            subject=live_target.name,
        )


def _expiring(live_target: LiveTarget) -> Iterator[bool]:
    """Whether the keys of each sampled entity should expire."""
    for server in servers(live_target.context):
        if server.stored is live_target.target:
            sampled = {binding.name for binding, _ in live_target.items()}
            yield from (expires(layout.structure) for binding, layout in server.entities if binding.name in sampled)
