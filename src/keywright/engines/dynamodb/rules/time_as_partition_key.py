"""DDB005: a partition key is made of time alone, so that everything that happens now goes to one partition."""

from collections.abc import Iterator

from keywright.access.fill import BUCKET_SECONDS
from keywright.engines.dynamodb.access.layout import Entity, Route
from keywright.engines.dynamodb.uses import Use, entities, hash_text, is_time, scalar, uses
from keywright.engines.flaws.context import Flaw, Stored, Whole

_SERIES = "event", "reading"


def models(whole: Whole, *, writes: float = 100.0) -> Iterator[Flaw]:
    """Every such key of an entity that is written often, or is a series where nobody says how often.

    writes: items written a second from which on a key of time is hot.
    """
    puts: dict[int, list[Use]] = {}
    for use in uses(whole):
        if use.pattern.kind == "put":
            puts.setdefault(id(use.entity), []).append(use)
    for entity in entities(whole):
        rates = [one.per_second * one.pattern.batch for one in puts.get(id(entity), []) if one.per_second is not None]
        is_series = not rates and getattr(entity.binding.spec, "kind", "") in _SERIES
        for route in entity.routes:
            if not (max(rates, default=0) >= writes or is_series) or not _is_of_time(entity, route):
                continue
            where = f' of index "{route.index}"' if route.index else ""
            often = f"{max(rates):,.0f} items a second" if rates else "events"
            yield Flaw(
                problem=f'pk="{hash_text(route)}"{where} is time alone, and {often} are written: '
                f"{_harm(entity, route)}",
                help="begin with what items differ in and let time follow in sk; an index by day is sharded, as in "
                '"DAY#{at:date}#{id:shard(10)}"',
                subject=entity.binding.name,
                part=route.index,
            )


def stored(
    one: Stored, *, words: tuple[str, ...] = ("date", "day", "month", "timestamp", "created_at", "createdat")
) -> Iterator[Flaw]:
    """Keys of a program's table and its indexes that are called like a time.

    words: names of such keys.
    """
    table = one.placed
    for name, keyed in (("", table), *((index.name, index) for index in table.indexes)) if not table.shape else ():
        keys = [part.attribute for part in keyed.keys if part.role == "HASH"]
        where = f'index "{name}"' if name else f'table "{table.name}"'
        if len(keys) == 1 and keys[0].lower() in words:
            yield Flaw(
                problem=f'the partition key of {where} is called "{keys[0]}": all of now is written to one partition',
                help="begin with what items differ in, and let time follow in the sort key",
                subject=one.declared.name,
                part=name,
                severity="warning",
            )


def _harm(entity: Entity, route: Route) -> str:
    """What comes of it: days are one partition each, single moments are found by nobody."""
    named = [one for part in route.hashes for one in part.template.placeholders]
    is_cut = any(filter.name in BUCKET_SECONDS for one in named for filter in one.filters)
    kinds = [scalar(entity, one.path) for one in named]
    if is_cut or any(kind is not None and kind.kind == "date" for kind in kinds):
        return "all of now go to one partition"
    return "each moment is a partition of its own, and no range of them is read"


def _is_of_time(entity: Entity, route: Route) -> bool:
    if route.by.kind == "lsi":
        return False
    named = [one for part in route.hashes for one in part.template.placeholders]
    return bool(named) and all(is_time(entity, one) for one in named)
