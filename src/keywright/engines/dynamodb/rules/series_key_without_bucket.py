"""DDB009: a time series accumulates under one partition key without end."""

from collections.abc import Iterator
from math import prod

from keywright.engines.dynamodb.access.layout import Layout
from keywright.engines.dynamodb.findings.hot_keys import distinct
from keywright.engines.dynamodb.findings.uses import Use, entities, hash_text, is_time, scalar, uses
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.pattern_facts import expected

_KINDS = "event", "reading"
_DAY = 86_400


def models(
    context: RuleContext, *, bucket: str = "date", per_day: int = 1_000, kept_per_day: int = 10_000
) -> Iterator[FindingDraft]:
    """Series whose partition key has no time, and other items that are written once and kept; unless they are readings,
    only if many have one key. Of readings that expire, the number in a key must be known.

    bucket: format of time in the help. per_day: items of one key in a day from which a series is reported.
    kept_per_day: the same for items of another kind.
    """
    puts: dict[int, list[Use]] = {}
    changed: set[int] = set()
    for use in uses(context):
        if use.pattern.kind == "put":
            puts.setdefault(id(use.entity), []).append(use)
        elif use.pattern.kind in ("update", "increment", "delete"):
            changed.add(id(use.entity))
    for entity in entities(context):
        kind = entity.binding.spec.kind
        is_log = id(entity) not in changed and entity.binding.entity.ttl is None
        if not (kind in _KINDS or is_log) or not _is_unbucketed(entity):
            continue
        daily = _items_per_day(context, entity, puts.get(id(entity), []))
        if daily is None and (kind != "reading" or entity.binding.entity.ttl is not None):
            continue
        if daily is None or daily >= (per_day if kind in _KINDS else kept_per_day):
            noun = kind if kind in _KINDS else "item"
            rate_text = "" if daily is None else f", {daily:,.0f} a day,"
            time = next(
                placeholder.path
                for placeholder in entity.key.sorts[0].template.placeholders
                if is_time(entity, placeholder)
            )
            text = hash_text(entity.key)
            yield FindingDraft(
                problem=f'pk="{text}" has no time in it: all {noun}s of one{rate_text} gather under it for ever',
                help=f'put a bucket of time into it, as in pk="{text}#{{{time}:{bucket}}}", and read '
                "by range= with span=",
                subject=entity.binding.name,
            )


def _is_unbucketed(entity: Layout) -> bool:
    """Whether items are sorted by a time that is not in their partition key."""
    sorts = [placeholder for part in entity.key.sorts for placeholder in part.template.placeholders]
    hashes = [placeholder for part in entity.key.hashes for placeholder in part.template.placeholders]
    return bool(sorts) and is_time(entity, sorts[0]) and not any(is_time(entity, placeholder) for placeholder in hashes)


def _items_per_day(context: RuleContext, entity: Layout, puts: list[Use]) -> float | None:
    """Items of one key in a day; None if rates or cardinalities are not declared."""
    rates = [put.load.per_second * put.pattern.batch for put in puts if put.load.per_second is not None]
    counts = [
        _cardinality(context, entity, placeholder.path)
        for part in entity.key.hashes
        for placeholder in part.template.placeholders
    ]
    if not rates or any(count is None for count in counts):
        return None
    return sum(rates) * _DAY / prod(count or 1 for count in counts)


def _cardinality(context: RuleContext, entity: Layout, path: str) -> int | None:
    """Number of values of a field; for a reference, at most that of the items to which it refers."""
    kind = scalar(entity, path)
    if kind is None:
        return None
    count, reference = distinct(kind), kind.facts.reference
    if count is None and reference is not None:
        numbers = (expected(binding) for binding in context.design.bindings if binding.entity.name == reference.entity)
        return next((number for number in numbers if number is not None), None)
    return count
