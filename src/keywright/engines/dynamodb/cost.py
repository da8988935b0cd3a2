"""What one call of a served pattern costs, by arm: the table and each index."""

from math import ceil

from keywright.access.cost import NOTHING, ONE, Band, Cost, exactly, total
from keywright.access.path import AccessPath
from keywright.access.search import Planned

from .calls import BatchGetItem, Delete, GetItem, Put, Query, TransactWrite, Update, Write
from .capabilities import BATCH_KEYS, BATCH_WRITES, PAGE_BYTES
from .layout import Entity, Route, entity_of
from .size import entry_bytes, item_bytes
from .target import TableTarget
from .units import READ_BYTES, WRITE_BYTES

_WHOLE = exactly(1)


def cost(planned: Planned[TableTarget]) -> Cost:
    """See `Engine.cost`."""
    assert isinstance(planned.path, AccessPath)
    call = planned.path.call
    if isinstance(call, TransactWrite):
        return _together(planned)
    entity = entity_of(planned.target, planned.binding)
    assert entity is not None
    match call:
        case GetItem() | BatchGetItem():
            return _of_keys(entity, planned.path, call)
        case Query():
            return _of_query(entity, planned, call)
        case _:
            assert isinstance(call, (Put, Update, Delete))
            return _of_write(entity, planned, call)


def _arms(arms: dict[str, Band]) -> tuple[tuple[str, Band], ...]:
    return tuple(sorted(arms.items()))


def _of_keys(entity: Entity, path: AccessPath, call: GetItem | BatchGetItem) -> Cost:
    """Items by their keys, each rounded by itself; one that is missing costs the least."""
    item, keys = item_bytes(entity), path.fan_out
    each = item.ceil(READ_BYTES).widest(_WHOLE) * (1 if call.is_strong else 0.5)
    units = each * keys
    found = Band(0, 1, 1) if isinstance(call, GetItem) else Band(0, keys, keys)
    return Cost(
        "RCU",
        units,
        examined=found,
        returned=found,
        examined_bytes=item * found,
        returned_bytes=item * found,
        round_trips=exactly(max(1, ceil(keys / BATCH_KEYS.value))),
        partitions=keys,
        arms=(("", units),),
    )


def chunk(limit: int, partitions: int) -> int:
    """Items that are asked of each of several partitions at once, where a page of some items is merged."""
    return min(limit, 2 * ceil(limit / partitions))


def _of_query(entity: Entity, planned: Planned[TableTarget], call: Query) -> Cost:
    """What was examined of each partition, rounded once; then what is fetched from the table."""
    path = planned.path
    assert isinstance(path, AccessPath)
    route = next(one for one in entity.routes if one.index == call.index)
    entry, partitions = entry_bytes(entity, route), path.fan_out
    returned, examined = _items(planned, call, path)
    share = 1 if call.is_strong else 0.5
    low = share if not call.is_strong or partitions else 1.0
    size = examined * entry
    queries = Band(1, partitions, partitions)
    units = Band(
        low,
        None if size.expected is None else max(queries.expected or 1, ceil(size.expected / READ_BYTES)) * share,
        # Each request is rounded up by itself.
        None if size.high is None else (ceil(size.high / READ_BYTES) + partitions) * share if partitions > 1 or path.residual
        else max(1, ceil(size.high / READ_BYTES)) * share,
        size.missing,
    )  # fmt: skip
    arms = {call.index: units}
    trips = Band(
        1, partitions, None if size.high is None else partitions + ceil(size.high / PAGE_BYTES.value), size.missing
    )
    if size.high is not None and size.high <= PAGE_BYTES.value and partitions == 1 and not path.residual:
        trips = ONE
    fetched = NOTHING
    if call.fetches:
        item = item_bytes(entity)
        fetched = item * returned
        each = item.ceil(READ_BYTES) * 0.5
        found = each * returned
        arms[""] = Band(0, found.expected, found.high, found.missing)
        trips = trips + Band(
            0, 1, None if returned.high is None else ceil(returned.high / BATCH_KEYS.value), returned.missing
        )
    if call.is_completed:
        found = item_bytes(entity).ceil(READ_BYTES) * share * returned
        arms[""] = Band(0, found.expected, found.high, found.missing)
    return Cost(
        "RCU",
        total(tuple(arms.values())),
        examined=examined,
        returned=returned,
        examined_bytes=size + fetched,
        returned_bytes=(item_bytes(entity) if call.fetches else entry) * returned,
        round_trips=trips,
        partitions=partitions,
        arms=_arms(arms),
    )


def _items(planned: Planned[TableTarget], call: Query, path: AccessPath) -> tuple[Band, Band]:
    """(items returned, items examined)."""
    name = planned.pattern.name
    if call.is_one:
        return Band(0, 1, path.fan_out), Band(0, path.fan_out, path.fan_out)
    if call.limit is None:
        unbounded = Band(0, None, None, frozenset((f"{name}: limit=",)))
        return unbounded, unbounded
    limit = call.limit
    returned = Band(0, limit, limit)
    if path.residual:
        judged = " and ".join(str(one) for one in path.residual)
        return returned, Band(0, limit, None, frozenset((f"{name}: how many items have {judged}",)))
    if call.merges and path.fan_out > 1:
        each = chunk(limit, path.fan_out)
        return returned, Band(0, each * path.fan_out, limit + each * path.fan_out)
    return returned, returned


def _of_write(entity: Entity, planned: Planned[TableTarget], call: Write) -> Cost:
    """What one call writes: the table's arm, and those of the indexes that its change reaches."""
    path = planned.path
    assert isinstance(path, AccessPath)
    arms = write_arms(entity, call)
    count = planned.pattern.batch
    copies = call.place.copies
    factor = 2 if copies > 1 or (count > 1 and isinstance(call, Put) and call.if_absent) else 1
    tries = _tries(entity, call)
    charged = {
        index: (
            Band(units.low, units.expected, None if units.high is None else units.high * tries, units.missing)
            if not index
            else units
        )
        * (count * copies * (factor if not index else 1))
        for index, units in arms.items()
    }
    size = item_bytes(entity)
    trips = ONE
    if isinstance(call, Put) and count > 1 and factor == 1:
        trips = exactly(ceil(count / BATCH_WRITES.value))
    return Cost(
        "WCU",
        total(tuple(charged.values())),
        examined=exactly(count * copies),
        examined_bytes=size * (count * copies),
        round_trips=Band(trips.low, trips.expected, (trips.high or 1) * tries),
        partitions=count * copies,
        arms=_arms(charged),
    )


def _tries(entity: Entity, call: Write) -> int:
    """How often a write on a drawn shard is tried at the most."""
    found = 1
    for filling in call.place.key:
        for slot in filling.filled.slots:
            if slot.kind == "draw":
                found *= slot.placeholder.shards or 1
    if isinstance(call, Delete):
        return found
    return found


def write_arms(entity: Entity, call: Write) -> dict[str, Band]:
    """Units of one write of one item, by arm; indexes that it cannot reach are not in it."""
    item = item_bytes(entity)
    units = item.ceil(WRITE_BYTES)
    if isinstance(call, Delete) or not isinstance(call, Put):
        # An item that is missing, or of which a condition fails, costs the least.
        units = Band(1, units.expected, units.high, units.missing)
    arms = {"": units}
    for route in entity.routes[1:]:
        band = _index_arm(entity, route, call)
        if band is not None:
            arms[route.index] = band
    return arms


def _index_arm(entity: Entity, route: Route, call: Write) -> Band | None:
    """Units of one index, by which of its attributes change; None where none does."""
    entry = entry_bytes(entity, route).ceil(WRITE_BYTES, least=0)
    is_sparse = bool(route.where or route.optional)
    once = Band(0, entry.expected, entry.high, entry.missing)
    twice = entry * 2
    either = Band(0, entry.expected, twice.high, entry.missing)
    match call:
        case Put(if_absent=True):
            return once if is_sparse else entry
        case Put():
            # The item that was there may have had another key in the index, or the same entry.
            return either if _moves(entity, route) or is_sparse else once
        case Delete():
            return once
        case Update():
            changed = _changed(entity, call)
            if any(part.attribute in changed for part in route.key):
                return Band(0, twice.expected, twice.high, twice.missing)
            if route.held is None or changed & route.held:
                return once
            return None


def _moves(entity: Entity, route: Route) -> bool:
    """Whether the key in an index is made of more than the key in the table, so that it can change."""
    fixed = {one.path for part in entity.key.key for one in part.template.placeholders}
    return any(one.path not in fixed or not one.path for part in route.key for one in part.template.placeholders)


def _changed(entity: Entity, call: Update) -> frozenset[str]:
    """Stored names of the attributes that an update writes or removes."""
    paths = [*call.sets, *call.removes, *(path for path in (call.pushes, call.adds) if path is not None)]
    made = {name for one in call.made for name, _, _ in one.attributes}
    return frozenset({entity.stored(path)[0] for path in paths} | made)


def _together(planned: Planned[TableTarget]) -> Cost:
    """The writes of a transaction: twice on the table, once on indexes.

    Source: paritysuite/dynamodb-conformance and nubo-db/dynoxide pull request 188 (2026-08), measured on the service.
    """
    arms: dict[str, list[Band]] = {}
    items = NOTHING
    size = NOTHING
    tries = 1
    for part in planned.parts:
        entity = entity_of(part.target, part.binding)
        assert entity is not None
        assert isinstance(part.path, AccessPath)
        call = part.path.call
        assert isinstance(call, (Put, Update, Delete))
        count = part.pattern.batch * call.place.copies
        tries = max(tries, _tries(entity, call))
        for index, units in write_arms(entity, call).items():
            arms.setdefault(index, []).append(units * (count if index else 2 * count))
        items = items + exactly(count)
        size = size + item_bytes(entity) * count
    charged = {index: total(tuple(bands)) for index, bands in arms.items()}
    return Cost(
        "WCU",
        total(tuple(charged.values())),
        examined=items,
        examined_bytes=size,
        round_trips=Band(1, 1, tries),
        partitions=int(items.low),
        arms=_arms(charged),
    )
