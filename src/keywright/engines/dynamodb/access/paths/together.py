"""Access paths of reads of several entities in one request: a Query of one partition, or a transaction of gets."""

from collections.abc import Iterator

from keywright.access.fill import Slot
from keywright.access.path import AccessPath, Candidate, Rejected
from keywright.access.query import Condition, arguments_of_parts, request
from keywright.access.search import Planned
from keywright.engines.contract.shape import Discriminator
from keywright.ir.pattern import Pattern
from keywright.record import Record, replace

from ...schema.target import TableTarget
from ..calls import Filling, GetItem, QueryItems, QueryTogether, TransactGet
from ..layout import Layout, Route, entity_of
from .key_match import MissingPartition, key_match_of
from .read import by_query
from .residual_filter import decided_by_key, is_mixed, residual_of, unsuited_reason


def read_together(
    target: TableTarget, pattern: Pattern, parts: tuple[Planned[TableTarget], ...]
) -> Iterator[Candidate]:
    """See `Engine.read_together`."""
    if pattern.kind == "transact_get":
        yield _transact_get(parts)
        return
    entities = [entity for part in parts if (entity := entity_of(part.target, part.binding)) is not None]
    first = entities[0]
    elsewhere = next((part for part in parts if part.target is not target), None)
    if elsewhere is not None:
        reason = f'"{elsewhere.binding.name}" is in table "{elsewhere.target.name}", and a Query reads one table'
        yield Rejected(first.key.by, f"{reason}: declare a kw.Read of its own")
        return
    for route in first.routes:
        yield _by_route(route, pattern, parts, entities)


class _Part(Record):
    """The read of one entity as a part of a Query."""

    entity: Layout
    """The entity."""
    route: Route
    """Its key in the table or index."""
    path: AccessPath
    """The path of its items alone."""
    key: tuple[object, ...]
    """Templates of the partition key with the arguments of the call, for a comparison with other parts."""
    equal: tuple[object, ...]
    """The same for the leading attributes of the sort key with one value each."""

    @property
    def query(self) -> QueryItems:
        """Its query alone."""
        assert isinstance(self.path.call, QueryItems)
        return self.path.call


def _by_route(
    first: Route, pattern: Pattern, parts: tuple[Planned[TableTarget], ...], entities: list[Layout]
) -> Candidate:
    """The path by one key, or the reason why it does not serve all parts."""
    by = first.by
    read: list[_Part] = []
    for part, entity, arguments in zip(parts, entities, arguments_of_parts(pattern.parts), strict=True):
        route = next((route for route in entity.routes if route.index == first.index), None)
        if route is None:
            return Rejected(by, f'no "{entity.binding.name}" is in it')
        path = _path(entity, route, part.pattern, arguments)
        if isinstance(path, Rejected):
            return path
        read.append(path)
    own, *others = read
    for other in others:
        if other.key != own.key:
            names = f'"{own.entity.binding.name}" and "{other.entity.binding.name}"'
            return Rejected(by, f"{names} are in different partitions: one Query reads one partition")
    # The direction of a page without an order is free: every single path of it is forward.
    directions = {part.query.is_backward for part, planned in zip(read, parts, strict=True) if planned.pattern.order}
    if len(directions) > 1:
        return Rejected(by, "some of its reads are ascending and some descending: one Query has one direction")
    return _together(by_key=read, is_backward=directions == {True}, limit=pattern.limit)


def _path(entity: Layout, route: Route, pattern: Pattern, arguments: dict[str, str]) -> _Part | Rejected:
    """The read of one entity by a key, or the reason why there is none."""
    name, query = entity.binding.name, request(pattern, entity.key_fields)

    def rejected(reason: str) -> Rejected:
        return Rejected(route.by, f"{name}: {reason}")

    key_match = key_match_of(entity, route, query)
    if isinstance(key_match, MissingPartition):
        return replace(rejected(key_match.reason), is_unrelated=not key_match.uses)
    if reason := unsuited_reason(entity, route, query):
        return rejected(reason)
    if key_match.slots or entity.shape.copies > 1:
        return rejected("its items are in several partitions or ranges, and one Query reads one")
    residual = residual_of(entity, route, query, key_match)
    if isinstance(residual, str):
        return rejected(residual)
    if residual:
        return rejected(f"{residual[0]} is no condition on the key: filter the page, or declare a kw.Read of its own")
    discriminators = decided_by_key(entity, route) if is_mixed(entity, route, key_match) else (None, None)
    if discriminators is None:
        return rejected("items of other entities are in the same partitions, without a discriminator")
    path = by_query(entity, route, query, key_match, residual, discriminators)
    if isinstance(path, str):
        return rejected(path)
    call = path.call
    assert isinstance(call, QueryItems)
    if call.fetches or call.is_completed:
        return rejected(f"{path.notes[0].partition(',')[0].partition(':')[0]}: add it to project=")
    key, equal = (tuple(_form(filling, arguments) for filling in fillings) for fillings in (call.key, call.equal))
    return _Part(entity, route, path, key, equal)


def _form(filling: Filling, arguments: dict[str, str]) -> tuple[object, ...]:
    """A key attribute with the arguments of the call in place of fields, equal for equal values."""
    slots = iter(filling.filled.slots)
    parts = (
        part if isinstance(part, str) else _source(next(slots), arguments) for part in filling.filled.template.parts
    )
    return (filling.native, *parts)


def _source(slot: Slot, arguments: dict[str, str]) -> tuple[object, ...]:
    condition, filters = slot.condition, slot.placeholder.filters
    if condition is not None and condition.constants is not None:
        return (condition.constants, filters)
    return (arguments.get(slot.placeholder.path, slot.placeholder.path), filters)


def _together(by_key: list[_Part], *, is_backward: bool, limit: int | None) -> AccessPath:
    """The path of one Query, whose range covers those of all parts."""
    own, *others = by_key
    common = 0
    while all(part.equal[: common + 1] == own.equal[: common + 1] for part in others) and common < len(own.equal):
        common += 1
    strangers = _strangers(by_key, common)
    discriminators = [part.entity.shape.discriminator for part in by_key]
    is_marked = all(
        _is_projected(discriminator, part) for discriminator, part in zip(discriminators, by_key, strict=True)
    )
    discriminator = _any_of(discriminators) if strangers and is_marked else None
    is_wider = not all(map(_is_whole, by_key)) and len({_range_of(part) for part in by_key}) > 1
    query = replace(
        own.query,
        equal=own.query.equal[:common],
        span=None,
        is_backward=is_backward,
        is_one=False,
        discriminator=discriminator,
        head=None,
        share=None,
        limit=limit,
    )
    drops = bool(strangers and discriminator is None) or is_wider
    notes = tuple(dict.fromkeys(note for part in by_key for note in part.path.notes if "filtered out" not in note))
    residual: tuple[Condition, ...] = ()
    if discriminator is not None:
        residual = (Condition(discriminator.attribute, "one_of", discriminator.values),)
        notes = (*notes, f"items of {_listed(strangers)} in the same range are read, and filtered out by the server")
    elif strangers:
        notes = (*notes, f"items of {_listed(strangers)} in the same range are read and dropped")
    if is_wider:
        notes = (*notes, "items between the ranges of the entities are read and dropped")
    parts = tuple(replace(part.path, call=replace(part.query, is_backward=is_backward)) for part in by_key)
    return AccessPath(
        own.route.by,
        QueryTogether(query, drops),
        order="index",
        residual=residual,
        consistency=own.path.consistency,
        notes=notes,
        parts=parts,
    )


def _is_whole(part: _Part) -> bool:
    """Whether it reads all items of its entity in the partition, or the one with a constant sort key."""
    reading = part.query.span.reading if part.query.span is not None else None
    is_free = reading is None or not (reading.slots or reading.range or reading.prefix)
    return is_free and not any(filling.filled.slots for filling in part.query.equal)


def _range_of(part: _Part) -> tuple[object, ...]:
    """The range of its sort key, equal for equal ranges."""
    reading = part.query.span.reading if part.query.span is not None else None
    if reading is None:
        return part.equal
    conditions = (*reading.range, reading.prefix)
    paths = tuple(slot.placeholder.path for slot in reading.slots)
    return (*part.equal, reading.template.text, paths, *(each.field for each in conditions if each is not None))


def _is_projected(discriminator: Discriminator | None, part: _Part) -> bool:
    projected = part.route.projected
    return discriminator is not None and (projected is None or discriminator.attribute in projected)


def _any_of(discriminators: list[Discriminator | None]) -> Discriminator:
    """One discriminator with the values of several."""
    first, *values = (value for each in discriminators if each is not None for value in each.values)
    attribute = next(each.attribute for each in discriminators if each is not None)
    return Discriminator(attribute, first, tuple(values))


def _strangers(by_key: list[_Part], common: int) -> tuple[str, ...]:
    """Names of other entities that may be in the range."""
    own = by_key[0]
    heads = [_head(part, common) for part in by_key]
    names = {part.entity.shape.name for part in by_key}
    others = own.entity.neighbours.between(
        own.entity.shape,
        own.entity.index(own.route),
        own.route.hashes,
        own.entity.attributes,
        (min(heads), max(heads)),
    )
    return tuple(other.name for other in others if other.name not in names)


def _head(part: _Part, common: int) -> str:
    """Constant beginning of the texts of the ranged sort attribute; empty for other attributes than the first."""
    return part.route.sorts[0].template.head if part.route.sorts and common == 0 else ""


def _listed(names: tuple[str, ...]) -> str:
    return " and ".join(", ".join(f'"{name}"' for name in names).rsplit(", ", 1))


def _transact_get(parts: tuple[Planned[TableTarget], ...]) -> Candidate:
    """The path of a transaction of gets, each by its complete key."""
    gets: list[GetItem] = []
    for part in parts:
        path, name = part.access_path, part.binding.name
        if not isinstance(path.call, GetItem):
            return Rejected(path.by, f"{name}: a transaction gets each item by its complete key in the table")
        gets.append(path.call)
    by = parts[0].access_path.by
    paths = tuple(part.access_path for part in parts)
    return AccessPath(by, TransactGet(tuple(gets)), consistency="strong", parts=paths)
