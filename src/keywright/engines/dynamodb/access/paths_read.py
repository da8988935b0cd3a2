"""Which keys and indexes serve a read."""

from collections.abc import Iterator

from keywright.access.fill import Filled, Slot
from keywright.access.path import AccessPath, Candidate, Rejected
from keywright.access.predicate import Test, implies
from keywright.access.reading import follows
from keywright.access.request import Asked, How, Request
from keywright.ir.pattern import Pattern

from .calls import BatchGetItem, Call, Filling, GetItem, Place, Query
from .dominated import worse
from .filters import unjudged
from .halves import Halves, Missing, halves_of
from .judged import Mark, is_decided, is_mixed, told_by
from .layout import Entity, Route


def read_paths(entity: Entity, asked: Request) -> Iterator[Candidate]:
    """Every key of the entity that serves a read, or why it does not, the nearest first."""
    if refused := _refused(asked.pattern):
        yield Rejected(entity.key.by, refused)
        return
    rejected: list[tuple[tuple[int, int, int], Rejected]] = []
    serving: list[AccessPath] = []
    for route in entity.routes:
        halves = halves_of(entity, route, asked)
        if isinstance(halves, Missing):
            rejected.append((_distance(halves.uses, 3), Rejected(route.by, halves.reason)))
        elif reason := _unsuited(entity, route, asked):
            rejected.append((_distance(halves.decides, 2), Rejected(route.by, reason)))
        elif isinstance(served := _served(entity, route, asked, halves), str):
            rejected.append((_distance(halves.decides, 1), Rejected(route.by, served)))
        else:
            serving.append(served)
    for path in serving:
        better = ((worse(path, other), other.by) for other in serving if other is not path)
        reason = next((f"{said} {by} does not" for said, by in better if said), None)
        if reason is None:
            yield path
        else:
            rejected.append((_distance((), 0), Rejected(path.by, reason)))
    rejected.sort(key=lambda one: one[0])
    yield from (one for _, one in rejected)
    for by in entity.absent:
        yield Rejected(by, f'no "{entity.binding.name}" is in it')


def _distance(uses: tuple[Asked, ...], stage: int) -> tuple[int, int, int]:
    """How far a key is from serving: by the given and constant conditions that it uses, then by what it fails at."""
    given = sum(one.is_given for one in uses)
    return (-given, given - len(uses), stage if uses else 3 - stage)


def _refused(pattern: Pattern) -> str | None:
    """Why no key serves such a pattern, whatever it asks for."""
    match pattern.kind:
        case "rank":
            return "DynamoDB counts no places: keep the order in a store that does, such as a sorted set of Redis"
        case "aggregate":
            return "DynamoDB computes no figures over groups: keep them in items of their own, or read another store"
        case "take":
            return "DynamoDB hands nothing out for good: take from a stream or a queue"
        case _ if pattern.joins:
            return f'DynamoDB joins nothing: copy the fields of "{pattern.joins[0].entity}", or read them by themselves'
        case _:
            return None


def _unsuited(entity: Entity, route: Route, asked: Request) -> str | None:
    """Why a key whose partition half is given does not serve all the same."""
    if route.by.kind == "gsi":
        if asked.pattern.consistency != "eventual":
            return 'a global index is read eventually: read by the table\'s key, or accept consistency="eventual"'
        if entity.shape.copies > 1:
            return f"it holds each of the {entity.shape.copies} read copies of an item"
    if route.where and not implies(asked.asked, route.holds, entity.attributes, by_type=True):
        return f"it holds only items with {' and '.join(map(str, route.where))}: say so in where="
    for path in route.optional if route.index else ():
        given = asked.one(path, "equals", "one_of")
        is_given = given is not None and None not in (given.constants or ())
        if not is_given and not implies(asked.asked, Test(path, "present"), entity.attributes, by_type=True):
            return f'items without "{path}" are not in it: add where={{"{path}": kw.Present()}}'
    return None


def _served(entity: Entity, route: Route, asked: Request, halves: Halves) -> AccessPath | str:
    """The path by a key, or why there is none."""
    residual = tuple(one for one in asked.asked if not is_decided(entity, route, halves, one))
    if any(slot.kind == "constants" for slot in halves.slots) and not _is_selective(asked, halves, residual):
        return "all of its partitions would be read from end to end, which is a scan"
    told = told_by(entity, route) if is_mixed(entity, route, halves) else (None, None)
    if told is None:
        return "items of other entities are in the same partitions, and nothing tells them apart"
    for one in residual:
        if reason := unjudged(entity, one):
            return reason
        stored = entity.stored(one.field)
        if stored == (stored[0],) and any(part.attribute == stored[0] for part in route.key):
            return f'"{one.field}" is a part of the key, of which a filter does not judge'
    judged = [entity.stored(one.field)[0] for one in residual]
    if route.held is not None and (lacking := [name for name in judged if name not in route.held]):
        return f'it does not hold "{lacking[0]}", by which what was read is filtered'
    if halves.is_whole and not route.index and not residual:
        return _by_key(entity, asked, halves)
    return _by_query(entity, route, asked, halves, residual, told)


def _is_selective(asked: Request, halves: Halves, residual: tuple[Asked, ...]) -> bool:
    """Whether a pattern that asks all values of a field reads less than everything under them."""
    has_first = bool(asked.order) and asked.pattern.limit is not None
    return bool(halves.decides) or (has_first and not residual)


def fan_out(asked: Request, halves: Halves) -> int:
    """Partitions, or keys, that one call asks at the most; what the pattern says where a caller may give any number."""
    found, seen = 1, set[int]()
    for slot in halves.slots:
        if slot.kind == "values" and id(slot.asked) in seen:
            continue  # its values are those of another part of the key
        seen.add(id(slot.asked))
        found *= max(asked.pattern.fan_out, 1) if slot.count is None else slot.count
    return found


def _by_key(entity: Entity, asked: Request, halves: Halves) -> AccessPath:
    pattern = asked.pattern
    span = halves.span
    key = (*halves.key, *halves.equal)
    if span is not None:
        key = (*key, Filling(span.attribute, span.native, Filled(span.reading.template, span.reading.slots)))
    place = Place(entity.table.name, key, entity.shape.copies)
    is_strong = pattern.consistency != "eventual"
    wanted = _wanted(entity, pattern.fields)
    if not halves.slots:
        call: Call = GetItem(place, wanted, is_strong)
        return AccessPath(entity.key.by, call, consistency="strong" if is_strong else "eventual")
    call = BatchGetItem(place, wanted, is_strong, asked.order)
    return AccessPath(
        entity.key.by,
        call,
        fan_out(asked, halves),
        "memory" if asked.order else "none",
        consistency="strong" if is_strong else "eventual",
    )


def _wanted(entity: Entity, fields: tuple[str, ...]) -> tuple[str, ...]:
    """Stored names of the attributes that hold some fields."""
    return tuple(dict.fromkeys(entity.stored(path)[0] for path in fields))


def _by_query(
    entity: Entity,
    route: Route,
    asked: Request,
    halves: Halves,
    residual: tuple[Asked, ...],
    told: tuple[Mark | None, Mark | None],
) -> AccessPath | str:
    pattern = asked.pattern
    direction = follows(asked, halves.ordered)
    if direction is None:
        kept = ", ".join(halves.ordered) or "nothing"
        return f"it keeps the order of {kept}, and the pattern wants {', '.join(pattern.order)}"
    several = halves.slots
    walked = _walked(asked, several)
    merges = bool(asked.order) and len(several) > (walked is not None)
    is_strong = pattern.consistency != "eventual"
    attributes, fetches, notes = _returned(entity, route, asked)
    mark, head = told
    if mark or head:
        notes = (*notes, "other entities share its partitions and are filtered out")
        how: How = "equals" if mark else "prefix"
        attribute, value = mark or head or ("", "")
        residual = (*residual, Asked(attribute, how, (value,)))
    call = Query(
        table=entity.table.name,
        index=route.index,
        key=halves.key,
        equal=halves.equal,
        span=halves.span,
        sorts=tuple(part.attribute for part in route.sorts),
        is_backward=direction == "backward",
        filters=residual[:-1] if mark or head else residual,
        mark=mark,
        head=head,
        is_one=halves.is_whole and not route.index,
        attributes=attributes,
        keys=route.names,
        table_key=entity.key.names,
        is_strong=is_strong,
        fetches=fetches,
        is_completed=bool(notes)
        and route.by.kind == "lsi"
        and not fetches
        and bool(attributes)
        and not set(attributes) <= (route.held or set(attributes)),
        is_narrow=route.held is not None,
        copies=entity.shape.copies,
        merges=merges,
        walked=walked or "",
        limit=1 if pattern.kind == "get" else pattern.limit,
        counts=pattern.kind == "count",
    )
    return AccessPath(
        route.by,
        call,
        fan_out(asked, halves),
        "none" if not asked.order else "merge" if merges else "index",
        residual,
        "strong" if is_strong else "eventual",
        notes,
    )


def _walked(asked: Request, several: tuple[Slot, ...]) -> str | None:
    """The field whose buckets of time are asked one after the other: the one by which the pattern orders."""
    for slot in several:
        if slot.kind in ("buckets", "recent") and (not asked.order or asked.order[0].field == slot.placeholder.path):
            return slot.placeholder.path
    return None


def _returned(entity: Entity, route: Route, asked: Request) -> tuple[tuple[str, ...], bool, tuple[str, ...]]:
    """(attributes that are asked for, whether items are fetched from the table, what to note)."""
    pattern = asked.pattern
    if pattern.kind == "count":
        return (), False, ()
    wanted = _wanted(entity, pattern.fields)
    if route.held is None:
        return wanted, False, ()
    needed = wanted or tuple(one.stored for one in entity.attributes)
    lacking = [name for name in needed if name not in route.held]
    if not lacking:
        return wanted, False, ("answered from the index alone",)
    if route.by.kind == "lsi":
        return needed, False, (f'the index lacks "{lacking[0]}", which the server reads from the table',)
    return wanted, True, (f'the index lacks "{lacking[0]}": items are read from the table by its keys',)
