"""Costs of writes, by arm: the table and each index that a change reaches.

Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html and
https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.html, 2026-11-21; every line agrees with DynamoDB
Local 3.0.0 except for transactions, whose indexes it charges twice.
"""

from math import ceil

from keywright.access.cost import NOTHING, ONE, Band, Cost, exactly, total
from keywright.access.search import Planned

from ...schema.capabilities import BATCH_WRITES
from ...schema.target import TableTarget
from ..calls import DeleteItem, PutItems, UpdateItem, Write
from ..layout import Layout, Route, entity_of
from .size import entry_bytes, item_bytes
from .units import WRITE_BYTES

TRANSACTION = 2
"""Times that the table is charged for a write in a transaction."""


def write_cost(entity: Layout, planned: Planned[TableTarget], call: Write) -> Cost:
    """Cost of one call, for as many items as the pattern's `batch`."""
    count, copies, attempts = planned.pattern.batch, call.place.copies, _attempts(call)
    is_conditional = isinstance(call, PutItems) and call.if_absent
    is_together = copies > 1 or (is_conditional and count > 1)
    times = count * copies
    units_by_arm = {
        index: units * times if index else _repeated(units, attempts) * (times * (TRANSACTION if is_together else 1))
        for index, units in write_arms(entity, call).items()
    }
    trips = exactly(ceil(count / BATCH_WRITES.value)) if isinstance(call, PutItems) and not is_together else ONE
    return Cost(
        "WCU",
        total(tuple(units_by_arm.values())),
        examined=exactly(times),
        examined_bytes=item_bytes(entity) * times,
        round_trips=_repeated(trips, attempts),
        partitions=times,
        arms=tuple(sorted(units_by_arm.items())),
    )


def transaction_cost(planned: Planned[TableTarget]) -> Cost:
    """Cost of a transaction: twice on the table, once on indexes.

    Source: paritysuite/dynamodb-conformance and nubo-db/dynoxide pull request 188 (2026-08), measured on the service.
    """
    arms: dict[str, list[Band]] = {}
    items, size, attempts = NOTHING, NOTHING, 1
    for part in planned.parts:
        entity = entity_of(part.target, part.binding)
        assert entity is not None
        call = part.access_path.call
        assert isinstance(call, (PutItems, UpdateItem, DeleteItem))
        count = part.pattern.batch * call.place.copies
        attempts = max(attempts, _attempts(call))
        for index, units in write_arms(entity, call).items():
            arms.setdefault(index, []).append(units * (count if index else TRANSACTION * count))
        items = items + exactly(count)
        size = size + item_bytes(entity) * count
    units_by_arm = {index: total(tuple(bands)) for index, bands in arms.items()}
    return Cost(
        "WCU",
        total(tuple(units_by_arm.values())),
        examined=items,
        examined_bytes=size,
        round_trips=_repeated(ONE, attempts),
        partitions=int(items.low),
        arms=tuple(sorted(units_by_arm.items())),
    )


def _repeated(band: Band, times: int) -> Band:
    """Band of a request that is repeated until it succeeds."""
    return Band(band.low, band.expected, None if band.high is None else band.high * times, band.missing)


def _attempts(call: Write) -> int:
    """Most attempts of a write on a drawn shard; a delete runs in each shard."""
    attempts = 1
    for filling in call.place.key:
        for slot in filling.filled.slots:
            if slot.kind == "draw":
                attempts *= slot.placeholder.shards or 1
    return attempts


def write_arms(entity: Layout, call: Write) -> dict[str, Band]:
    """Units of one write of one item, by arm, without indexes that it cannot reach."""
    units = item_bytes(entity).ceil(WRITE_BYTES)
    if not isinstance(call, PutItems):
        # A missing item and a failed condition cost the least.
        units = Band(1, units.expected, units.high, units.missing)
    arms = {"": units}
    for route in entity.routes[1:]:
        band = _index_arm(entity, route, call)
        if band is not None:
            arms[route.index] = band
    return arms


def _index_arm(entity: Layout, route: Route, call: Write) -> Band | None:
    """Units of one index, by its changed attributes; None if none changes."""
    entry = entry_bytes(entity, route).ceil(WRITE_BYTES, least=0)
    is_sparse = bool(route.where or route.optional)
    once = Band(0, entry.expected, entry.high, entry.missing)
    twice = entry * 2
    either = Band(0, entry.expected, twice.high, entry.missing)
    match call:
        case PutItems(if_absent=True):
            return once if is_sparse else entry
        case PutItems():
            # A replaced item may have had another key in the index, or the same entry.
            return either if _can_key_change(entity, route) or is_sparse else once
        case DeleteItem():
            return once
        case UpdateItem():
            changed = _changed(entity, call)
            keyed = {part.attribute for part in route.key} & changed
            if keyed & {entity.stored(path)[0] for path in call.removes} or keyed & _kept(call):
                return once  # without a key attribute, the item leaves the index: only a delete
            if keyed:
                return Band(0, twice.expected, twice.high, twice.missing)
            if route.projected is None or changed & route.projected:
                return once
            return None


def _can_key_change(entity: Layout, route: Route) -> bool:
    """Whether the key in an index has other fields than the key in the table, so that it can change."""
    fixed = {placeholder.path for part in entity.key.key for placeholder in part.template.placeholders}
    return any(
        placeholder.path not in fixed or not placeholder.path
        for part in route.key
        for placeholder in part.template.placeholders
    )


def _changed(entity: Layout, call: UpdateItem) -> frozenset[str]:
    """Stored names of the attributes that an update writes or removes."""
    paths = [*call.sets, *call.removes, *(path for path in (call.pushes, call.adds) if path is not None)]
    names = {name for attribute in call.template_attributes for name in attribute.names}
    return frozenset({entity.stored(path)[0] for path in paths} | names)


def _kept(call: UpdateItem) -> set[str]:
    """Stored names of key attributes that an update keeps or removes."""
    return {name for attribute in call.template_attributes if attribute.is_kept for name in attribute.names}
