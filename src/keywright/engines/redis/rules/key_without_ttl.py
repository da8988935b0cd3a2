"""RED004: keys of temporary data, copies or short periods never expire, and the declaration does not say why."""

import re
from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.observation import LiveTarget
from keywright.engines.findings.rates import calls
from keywright.ir.binding import Binding

from ..declare.options import RedisCounter, Structure
from ..findings.servers import never_expiring
from ..schema.layout import EXPIRING_KINDS, VALUE_KINDS, kind_of

_WINDOW = re.compile(r"(?:^|_)(?:second|minute|hour|window)$")
"""Endings of names of fields that are a short period."""


def models(context: RuleContext) -> Iterator[FindingDraft]:
    """Entities of caches, sessions and limiters, results of jobs, and copies of other stores with such keys."""
    sources = {binding.entity.name: binding for binding in context.design.bindings if binding.engine != "redis"}
    for binding in context.bindings("redis"):
        role, source = binding.spec.server.role, sources.get(binding.entity.name)
        is_value = kind_of(binding) in EXPIRING_KINDS
        is_deleted = any(calls(context, binding, "delete"))
        if role in ("cache", "sessions", "limiter") or _has_window(binding):
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


def _has_window(binding: Binding[Structure]) -> bool:
    """Whether it is a counter of a short period, for which each period adds keys."""
    placeholders = binding.templates["key"].placeholders
    return isinstance(binding.spec, RedisCounter) and any(
        _WINDOW.search(placeholder.path) or any(filter.name == "hour" for filter in placeholder.filters)
        for placeholder in placeholders
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
