"""RED004: keys of a cache, of sessions or of a limiter never expire, and the declaration does not say why."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.observation import LiveTarget

from ..findings.servers import never_expiring
from ..schema.layout import VALUE_KINDS


def models(context: RuleContext) -> Iterator[FindingDraft]:
    """Entities with such keys."""
    for binding in context.bindings("redis"):
        role = binding.spec.server.role
        if role not in ("cache", "sessions", "limiter") or binding.spec.keep_forever:
            continue
        if not any(getattr(binding.spec, word, None) for word in ("ttl", "per", "keep")) and binding.entity.ttl is None:
            yield FindingDraft(
                problem=f'its keys never expire, on server "{binding.physical.name}" in the role of {role}',
                help='say ttl=timedelta(...); or why not, by keep_forever="..."',
                subject=binding.name,
            )


def live(live_target: LiveTarget) -> Iterator[FindingDraft]:
    """Entities with keys that never expire although they should."""
    for structure, count in never_expiring(live_target, "never expires", "never expire"):
        if structure.kind not in VALUE_KINDS:  # RED102 reports the other kinds
            yield FindingDraft(
                problem=f"{count}, and all should",
                help="find out who writes them past keywright, and give those that are there an expiry by EXPIRE",
                subject=structure.entity,
            )
