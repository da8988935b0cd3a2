"""GEN032: a price, balance or permission is read from a copy that may be hours old."""

import re
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.pattern_facts import single
from keywright.engines.findings.rates import span
from keywright.errors import NOWHERE, Place
from keywright.ir.attribute import CopiedFrom, Scalar
from keywright.ir.binding import Binding
from keywright.record import Record

_DECIDING = re.compile(
    r"(?:^|_)(?:price|fare|balance|credit|permissions?|rights?|roles?|scopes?|entitlements?|grants?|stock|available"
    r"|suspended|revoked|blocked|banned|allowed|remaining)(?:$|_)"
)
"""Words in names of fields by which callers decide."""


_SHOWN = re.compile(
    r"(?:^|_)(?:featured|new|popular|recommended|pinned|favou?rite|starred|seen|read|highlighted|promoted|sponsored|official|"
    r"default|trending|animated|translated|illustrated|embedded|indexed|synced|imported|exported|archived)(?:$|_)"
)
"""Words in names of truth values that are shown, and by which nobody decides about money or rights."""


class _CachedCopy(Record, eq=False):
    """A copy of an entity that is not updated with it."""

    binding: Binding[Any]
    """The entity, in the cache or in its store."""
    subject: str
    """The cache, or the pattern whose callers keep the answer."""
    time: timedelta
    """Greatest age of the copy."""
    option: str
    """Name of the option with this age."""
    at: Place = NOWHERE
    """Place of the pattern."""


def models(
    context: RuleContext,
    *,
    kinds: tuple[str, ...] = ("money", "stock", "token"),
    max_minutes: float = 60,
    max_hours: float = 12,
) -> Iterator[FindingDraft]:
    """Report every cache of such an entity, and of its fields by name as a warning.

    kinds: kinds of entities by which callers decide. max_minutes: greatest age of a copy of these kinds. max_hours:
    greatest age of a copy of other entities with a price, balance or permission by name.
    """
    kind_of = {
        binding.entity.name: binding.spec.kind for binding in context.design.bindings if binding.spec.kind in kinds
    }
    for copy in _copies(context):
        sources = {copy.binding.entity.name, *(source.entity for source in _sources(copy.binding))}
        kind = next((kind_of[name] for name in sorted(sources) if name in kind_of), None)
        flags = () if _is_deleted(context, copy) else _flags(context, copy.binding)
        names = (attribute.name for attribute in copy.binding.entity.attributes)
        field = next((name for name in names if _DECIDING.search(name) or name in flags), "")
        if kind is not None and copy.time > timedelta(minutes=max_minutes):
            cause, limit = f'data of kind "{kind}"', f"minutes={max_minutes:.0f}"
        elif field and copy.time > timedelta(hours=max_hours):
            cause, limit = f'"{field}"', f"hours={max_hours:.0f}"
        else:
            continue
        yield FindingDraft(
            problem=f"callers decide by {cause} that may be {span(copy.time)} old: they use outdated prices, balances "
            "or rights",
            help=f"set {copy.option}=timedelta({limit}) or less; delete the copy when its source changes",
            subject=copy.subject,
            at=copy.at,
            severity=None if kind is not None else "warning",
        )


def _flags(context: RuleContext, binding: Binding[Any]) -> set[str]:
    """Truth values that an update of the source changes, such as whether an account is suspended."""
    entities = {other.name: other.entity.name for other in context.design.bindings}
    updated = {(entities.get(part.binding), name) for part in single(context.design) for name in part.sets}
    flags = set[str]()
    for attribute in binding.entity.attributes:
        source = attribute.copied_from
        origin = (source.entity, source.attribute) if source else (binding.entity.name, attribute.name)
        is_flag = isinstance(attribute.type, Scalar) and attribute.type.kind == "boolean"
        if is_flag and origin in updated and not _SHOWN.search(attribute.name):
            flags.add(attribute.name)
    return flags


def _is_deleted(context: RuleContext, copy: _CachedCopy) -> bool:
    """Whether a pattern deletes the copy, as when its source changes."""
    return any(part.kind == "delete" and part.binding == copy.subject for part in single(context.design))


def _sources(binding: Binding[Any]) -> list[CopiedFrom]:
    """The fields of other entities that an entity copies."""
    return [attribute.copied_from for attribute in binding.entity.attributes if attribute.copied_from is not None]


def _copies(context: RuleContext) -> Iterator[_CachedCopy]:
    """Caches in a store, copies that a job updates, and answers that callers keep."""
    bindings = {binding.name: binding for binding in context.design.bindings}
    for binding in context.design.bindings:
        ttl = getattr(binding.spec, "ttl", None)
        is_cache = hasattr(binding.spec, "source_of_truth") or binding.spec.kind == "cache"
        if isinstance(ttl, timedelta) and (is_cache or any(source.sync == "job" for source in _sources(binding))):
            yield _CachedCopy(binding, binding.name, ttl, "ttl")
    for pattern in context.design.patterns:
        if pattern.cache_ttl_seconds and pattern.binding in bindings:
            time = timedelta(seconds=pattern.cache_ttl_seconds)
            yield _CachedCopy(bindings[pattern.binding], pattern.name, time, "cache_ttl", pattern.at)
