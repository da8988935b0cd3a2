"""RED004: keys of temporary data or copies never expire, and the declaration does not say why."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.observation import LiveTarget
from keywright.engines.findings.rates import calls

from ..findings.servers import never_expiring
from ..schema.layout import EXPIRING_KINDS, VALUE_KINDS, kind_of


def models(context: RuleContext) -> Iterator[FindingDraft]:
    """Entities of caches, sessions and limiters, results of jobs, and copies of other stores with such keys."""
    sources = {binding.entity.name: binding for binding in context.design.bindings if binding.engine != "redis"}
    for binding in context.bindings("redis"):
        role, source = binding.spec.server.role, sources.get(binding.entity.name)
        is_value = kind_of(binding) in EXPIRING_KINDS
        is_deleted = any(calls(context, binding, "delete"))
        if role in ("cache", "sessions", "limiter"):
            problem = f'its keys never expire, on server "{binding.physical.name}" in the role of {role}'
        elif source is not None and is_value:
            problem = (
                f'it is a copy of {source.engine} "{source.physical.name}" whose keys never expire: memory grows, and '
                "outdated copies remain"
            )
        elif role == "queue" and is_value and not is_deleted:
            problem = f'nothing deletes or expires its keys, on server "{binding.physical.name}" in the role of queue'
        else:
            continue
        is_bounded = any(getattr(binding.spec, word, None) for word in ("ttl", "per", "keep", "keep_forever"))
        if not is_bounded and binding.entity.ttl is None:
            yield FindingDraft(
                problem=problem,
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
