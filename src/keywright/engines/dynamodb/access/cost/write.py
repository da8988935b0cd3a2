"""What writes cost, by arm: the table and each index that a change reaches.

Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html and
https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.html, 2026-11-21; every line agrees with DynamoDB
Local 3.0.0 but for transactions, whose indexes it charges twice.
"""

from math import ceil

from keywright.access.cost import NOTHING, ONE, Band, Cost, exactly, total
from keywright.access.path import AccessPath
from keywright.access.search import Planned

from ..capabilities import BATCH_WRITES
from ..target import TableTarget
from .calls import Delete, Put, Update, Write
from .layout import Entity, Route, entity_of
from .size import entry_bytes, item_bytes
from .units import WRITE_BYTES

TRANSACTION = 2
"""How often the table is charged for a write in a transaction."""


def write_cost(entity: Entity, planned: Planned[TableTarget], call: Write) -> Cost:
    """What one call writes, of as many items as the pattern says."""
    count, copies, tries = planned.pattern.batch, call.place.copies, _tries(call)
    is_conditional = isinstance(call, Put) and call.if_absent
    is_together = copies > 1 or (is_conditional and count > 1)
    times = count * copies
    charged = {
        index: units * times if index else _at_most(units, tries) * (times * (TRANSACTION if is_together else 1))
        for index, units in write_arms(entity, call).items()
    }
    trips = exactly(ceil(count / BATCH_WRITES.value)) if isinstance(call, Put) and not is_together else ONE
    return Cost(
        "WCU",
        total(tuple(charged.values())),
        examined=exactly(times),
        examined_bytes=item_bytes(entity) * times,
        round_trips=_at_most(trips, tries),
        partitions=times,
        arms=tuple(sorted(charged.items())),
    )


def transaction_cost(planned: Planned[TableTarget]) -> Cost:
    """The writes of a transaction: twice on the table, once on indexes.

    Source: paritysuite/dynamodb-conformance and nubo-db/dynoxide pull request 188 (2026-08), measured on the service.
    """
    arms: dict[str, list[Band]] = {}
    items, size, tries = NOTHING, NOTHING, 1
    for part in planned.parts:
        entity = entity_of(part.target, part.binding)
        assert entity is not None
        assert isinstance(part.path, AccessPath)
        call = part.path.call
        assert isinstance(call, (Put, Update, Delete))
        count = part.pattern.batch * call.place.copies
        tries = max(tries, _tries(call))
        for index, units in write_arms(entity, call).items():
            arms.setdefault(index, []).append(units * (count if index else TRANSACTION * count))
        items = items + exactly(count)
        size = size + item_bytes(entity) * count
    charged = {index: total(tuple(bands)) for index, bands in arms.items()}
    return Cost(
        "WCU",
        total(tuple(charged.values())),
        examined=items,
        examined_bytes=size,
        round_trips=_at_most(ONE, tries),
        partitions=int(items.low),
        arms=tuple(sorted(charged.items())),
    )


def _at_most(band: Band, times: int) -> Band:
    """A band of what may be done several times, until it succeeds."""
    return Band(band.low, band.expected, None if band.high is None else band.high * times, band.missing)


def _tries(call: Write) -> int:
    """How often a write on a drawn shard is tried at the most; a delete is done in each."""
    found = 1
    for filling in call.place.key:
        for slot in filling.filled.slots:
            if slot.kind == "draw":
                found *= slot.placeholder.shards or 1
    return found


def write_arms(entity: Entity, call: Write) -> dict[str, Band]:
    """Units of one write of one item, by arm; indexes that it cannot reach are not in it."""
    units = item_bytes(entity).ceil(WRITE_BYTES)
    if not isinstance(call, Put):
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
