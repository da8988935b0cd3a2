"""DDB009: a series of measurements or events gathers under one partition key for ever."""

from collections.abc import Iterator
from math import prod

from keywright.engines.dynamodb.access.layout import Entity
from keywright.engines.dynamodb.uses import Use, entities, hash_text, is_time, scalar, uses
from keywright.engines.flaws.context import Flaw, Whole

_KINDS = "event", "reading"
_DAY = 86_400


def models(whole: Whole, *, bucket: str = "date", per_day: int = 1000) -> Iterator[Flaw]:
    """Every series whose partition key has no time in it; of events, those of which many fall on one key.

    bucket: the form of time that is advised. per_day: items of one key in a day that are many.
    """
    puts: dict[int, list[Use]] = {}
    for use in uses(whole):
        if use.pattern.kind == "put":
            puts.setdefault(id(use.entity), []).append(use)
    for entity in entities(whole):
        kind = getattr(entity.binding.spec, "kind", "")
        if kind not in _KINDS or not _is_unbucketed(entity):
            continue
        daily = _daily(entity, puts.get(id(entity), []))
        if daily is None and kind == "event":
            continue
        if daily is None or daily >= per_day:
            many = "" if daily is None else f", {daily:,.0f} a day,"
            time = next(one.path for one in entity.key.sorts[0].template.placeholders if is_time(entity, one))
            text = hash_text(entity.key)
            yield Flaw(
                problem=f'pk="{text}" has no time in it: all {kind}s of one{many} gather under it for ever',
                help=f'put a bucket of time into it, as in pk="{text}#{{{time}:{bucket}}}", and read '
                "by range= with span=",
                subject=entity.binding.name,
            )


def _is_unbucketed(entity: Entity) -> bool:
    """Whether items are sorted by a time that their partition key does not have."""
    sorts = [one for part in entity.key.sorts for one in part.template.placeholders]
    hashes = [one for part in entity.key.hashes for one in part.template.placeholders]
    return bool(sorts) and is_time(entity, sorts[0]) and not any(is_time(entity, one) for one in hashes)


def _daily(entity: Entity, puts: list[Use]) -> float | None:
    """Items of one key in a day; None where nobody says how many there are."""
    rates = [one.load.per_second * one.pattern.batch for one in puts if one.load.per_second is not None]
    counts = [_count(entity, one.path) for part in entity.key.hashes for one in part.template.placeholders]
    if not rates or any(count is None for count in counts):
        return None
    return sum(rates) * _DAY / prod(count or 1 for count in counts)


def _count(entity: Entity, path: str) -> int | None:
    kind = scalar(entity, path)
    return (len(kind.constants) or kind.facts.distinct) if kind else None
