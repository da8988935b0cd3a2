"""Access paths of reads."""

from collections.abc import Iterator

from keywright.access.fill import Filled, Slot
from keywright.access.key_range import follows
from keywright.access.path import AccessPath, Candidate, Rejected
from keywright.access.query import Condition, Query
from keywright.access.selectivity import share_of
from keywright.engines.contract.shape import Discriminator
from keywright.errors import quoted
from keywright.ir.pattern import Pattern
from keywright.ir.text import counted

from ..calls import BatchGetItem, Call, Filling, GetItem, ItemKey, QueryItems
from ..layout import Layout, Route
from .key_match import KeyMatch, MissingPartition, key_match_of
from .residual_filter import (
    Prefix,
    decided_by_key,
    is_mixed,
    of_entity,
    residual_of,
    stored_names,
    unsuited_reason,
)
from .scan import scan_paths


def read_paths(entity: Layout, query: Query) -> Iterator[Candidate]:
    """Path of each key of the entity that serves a read, then reasons why the others do not, the nearest first."""
    if refusal := _refusal(query.pattern):
        yield Rejected(entity.key.by, refusal)
        return
    if query.pattern.scans:
        yield from scan_paths(entity, query)
        return
    rejected: list[tuple[tuple[int, int, int], Rejected]] = []
    serving: list[AccessPath] = []
    for route in entity.routes:
        key_match = key_match_of(entity, route, query)
        if isinstance(key_match, MissingPartition):
            missing = Rejected(route.by, key_match.reason, is_unrelated=not key_match.uses)
            rejected.append((_distance(key_match.uses, 3), missing))
        elif reason := unsuited_reason(entity, route, query):
            rejected.append((_distance(key_match.decides, 2), Rejected(route.by, reason)))
        elif isinstance(served := _path(entity, route, query, key_match), str):
            is_unrelated = not any(condition.is_given for condition in key_match.decides)
            rejected.append((_distance(key_match.decides, 1), Rejected(route.by, served, is_unrelated=is_unrelated)))
        else:
            serving.append(served)
    for path in serving:
        reasons = ((_worse(path, other), other.by) for other in serving if other is not path)
        reason = next((f"{extra} {by} does not" for extra, by in reasons if extra), None)
        if reason is None:
            yield path
        else:
            rejected.append((_distance((), 0), Rejected(path.by, reason)))
    rejected.sort(key=lambda entry: entry[0])
    yield from (entry for _, entry in rejected)
    for by in entity.absent:
        yield Rejected(by, f'no "{entity.binding.name}" is in it')


def _distance(uses: tuple[Condition, ...], stage: int) -> tuple[int, int, int]:
    """Sort order of rejected keys: by the conditions with values that they use, then by the reason."""
    given = sum(use.is_given for use in uses)
    return (-given, given - len(uses), stage if uses else 3 - stage)


def _worse(path: AccessPath, other: AccessPath) -> str | None:
    """Extra work of a path compared with another one; None if only their costs can decide."""
    if path.fan_out < other.fan_out or path.by.kind == "table":
        return None
    if not set(path.residual) >= set(other.residual):
        return None
    if _is_fetching(path) and not _is_fetching(other):
        return "it reads each item a second time, which"
    if set(path.residual) > set(other.residual) and _is_fetching(path) == _is_fetching(other):
        return "it filters what it reads, which"
    is_smaller = isinstance(path.call, QueryItems) and path.call.is_narrow
    is_same = path.by.kind == "lsi" and other.by.kind == "table" and not is_smaller
    return "it needs an index, which" if is_same else None


def _is_fetching(path: AccessPath) -> bool:
    """Whether items are read from the table after entries of an index."""
    return isinstance(path.call, QueryItems) and (path.call.fetches or path.call.is_completed)


def _refusal(pattern: Pattern) -> str | None:
    """Reason why no key serves this kind of pattern."""
    match pattern.kind:
        case "rank" | "rank_around":
            return "DynamoDB has no ranks: use a store with ranks, such as a sorted set of Redis"
        case "aggregate":
            return "DynamoDB has no aggregates over groups: maintain them in separate items, or read another store"
        case "take":
            return "DynamoDB has no operation that takes items: use a stream or a queue"
        case _ if pattern.joins:
            return f'DynamoDB has no joins: copy the fields of "{pattern.joins[0].entity}", or read them separately'
        case _:
            return None


def _path(entity: Layout, route: Route, query: Query, key_match: KeyMatch) -> AccessPath | str:
    """Path by a key, or the reason why there is none."""
    residual = residual_of(entity, route, query, key_match)
    if isinstance(residual, str):
        return residual
    if any(slot.kind == "constants" for slot in key_match.slots) and not _is_selective(query, key_match, residual):
        return "all of its partitions would be read completely, which is a scan"
    discriminators = decided_by_key(entity, route) if is_mixed(entity, route, key_match) else (None, None)
    if discriminators is None:
        return "items of other entities are in the same partitions, without a discriminator"
    if key_match.is_complete and not route.index and not residual:
        return _by_key(entity, query, key_match)
    return by_query(entity, route, query, key_match, residual, discriminators)


def _is_selective(query: Query, key_match: KeyMatch, residual: tuple[Condition, ...]) -> bool:
    """Whether a pattern that queries all values of a field reads less than all their items."""
    has_first = bool(query.order) and query.pattern.limit is not None
    return bool(key_match.decides) or (has_first and not residual)


def fan_out(query: Query, key_match: KeyMatch) -> int:
    """Most partitions or keys of one call; the pattern's `fan_out` if a caller may give any number."""
    partitions, conditions = 1, set[int]()
    for slot in key_match.slots:
        if slot.kind == "values" and id(slot.condition) in conditions:
            continue  # another part of the key has the same values
        conditions.add(id(slot.condition))
        partitions *= max(query.pattern.fan_out, 1) if slot.count is None else slot.count
    return partitions


def _by_key(entity: Layout, query: Query, key_match: KeyMatch) -> AccessPath:
    pattern = query.pattern
    span = key_match.span
    key = (*key_match.key, *key_match.equal)
    if span is not None:
        key = (*key, Filling(span.attribute, span.native, Filled(span.reading.template, span.reading.slots)))
    place = ItemKey(entity.table.name, key, entity.shape.copies)
    is_strong = pattern.consistency != "eventual"
    attributes = stored_names(entity, pattern.fields)
    if not key_match.slots:
        call: Call = GetItem(place, attributes, is_strong)
        return AccessPath(entity.key.by, call, consistency="strong" if is_strong else "eventual")
    call = BatchGetItem(place, attributes, is_strong, query.order)
    return AccessPath(
        entity.key.by,
        call,
        fan_out(query, key_match),
        "memory" if query.order else "none",
        consistency="strong" if is_strong else "eventual",
    )


def by_query(
    entity: Layout,
    route: Route,
    query: Query,
    key_match: KeyMatch,
    residual: tuple[Condition, ...],
    discriminators: tuple[Discriminator | None, Prefix | None],
) -> AccessPath | str:
    """Path by a query of one or several partitions, or the reason why there is none."""
    pattern = query.pattern
    direction = follows(query, key_match.ordered)
    if direction is None:
        text = quoted(key_match.ordered) or "nothing"
        return f"{route.by} has the order of {text}, and the pattern needs {quoted(pattern.order)}"
    slots = key_match.slots
    walked_field = _walked_field(query, slots)
    merges = bool(query.order) and len(slots) > (walked_field is not None)
    is_strong = pattern.consistency != "eventual"
    attributes, fetches, notes = _returned(entity, route, query)
    discriminator, prefix = discriminators
    if discriminator or prefix:
        notes = (*notes, "other entities share its partitions and are filtered out")
        residual = (*residual, of_entity(discriminator, prefix))
    call = QueryItems(
        table=entity.table.name,
        index=route.index,
        key=key_match.key,
        equal=key_match.equal,
        span=key_match.span,
        sorts=tuple(part.attribute for part in route.sorts),
        is_backward=direction == "backward",
        filters=residual[:-1] if discriminator or prefix else residual,
        share=share_of(entity.attributes, residual) if residual else None,
        discriminator=discriminator,
        head=prefix,
        is_one=key_match.is_complete and not route.index,
        attributes=attributes,
        keys=route.names,
        table_key=entity.key.names,
        is_strong=is_strong,
        fetches=fetches,
        is_completed=bool(notes)
        and route.by.kind == "lsi"
        and not fetches
        and bool(attributes)
        and not set(attributes) <= (route.projected or set(attributes)),
        is_narrow=route.projected is not None,
        copies=entity.shape.copies,
        merges=merges,
        walked=walked_field or "",
        limit=1 if pattern.kind == "get" else pattern.limit,
        counts=pattern.kind == "count",
    )
    return AccessPath(
        route.by,
        call,
        fan_out(query, key_match),
        "none" if not query.order else "merge" if merges else "index",
        residual,
        "strong" if is_strong else "eventual",
        (*notes, *_more_buckets(query, fan_out(query, key_match))),
    )


def _more_buckets(query: Query, partitions: int) -> Iterator[str]:
    """Note that a range reads more partitions than the pattern's fan_out, without leaving out items."""
    pattern = query.pattern
    if pattern.is_fan_out_given and pattern.range is not None and partitions > pattern.fan_out:
        buckets = counted(partitions, "bucket")
        yield f"the range is in up to {buckets}, all of which are read; the pattern has fan_out={pattern.fan_out}"


def _walked_field(query: Query, slots: tuple[Slot, ...]) -> str | None:
    """Field whose time buckets are read in sequence: the first field of the pattern's order."""
    for slot in slots:
        if slot.kind in ("buckets", "recent") and (not query.order or query.order[0].field == slot.placeholder.path):
            return slot.placeholder.path
    return None


def _returned(entity: Layout, route: Route, query: Query) -> tuple[tuple[str, ...], bool, tuple[str, ...]]:
    """(requested attributes, whether items are fetched from the table, notes)."""
    pattern = query.pattern
    if pattern.kind == "count":
        return (), False, ()
    attributes = stored_names(entity, pattern.fields)
    if route.projected is None:
        return attributes, False, ()
    needed = attributes or tuple(attribute.stored for attribute in entity.attributes)
    lacking = [name for name in needed if name not in route.projected]
    if not lacking:
        return attributes, False, ("answered from the index alone",)
    if route.by.kind == "lsi":
        return needed, False, (f'the index lacks "{lacking[0]}", which the server reads from the table',)
    return attributes, True, (f'the index lacks "{lacking[0]}": items are read from the table by its keys',)
