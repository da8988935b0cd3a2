"""Cost of what an index copies from the items of its table."""

from keywright.engines.dynamodb.access.cost.write import write_arms
from keywright.engines.dynamodb.access.layout import entity_of
from keywright.engines.dynamodb.schema.target import IndexTarget
from keywright.engines.findings.pattern_facts import expected
from keywright.record import replace

from .throughput import usual
from .uses import Use

_SELDOM = 1024
"""Bytes a second, one write unit, up to which the size of entries hardly costs."""
_SMALL = 10**9
"""Bytes of an index up to which it hardly takes space."""


def is_cheap(index: IndexTarget, reader: Use, writers: list[Use], size: float) -> bool:
    """Whether entries are declared to be few and seldom written, so that smaller ones save nothing.

    size: bytes of each entry that nobody reads.
    """
    own = [use for use in writers if index.name in {route.index for route in use.entity.routes}]
    rates = [None if use.load.per_second is None else use.load.per_second * use.pattern.batch for use in own]
    count = expected(reader.entity.binding)
    if not rates or None in rates or count is None:
        return False
    return sum(rate or 0 for rate in rates) * size <= _SELDOM and count * size <= _SMALL


def added_units(use: Use, index: IndexTarget) -> float:
    """Additional write units of a write if the index contained whole items."""
    table = use.entity.table
    wider = replace(index, projection="ALL", included=())
    widened = entity_of(
        replace(table, indexes=tuple(wider if existing is index else existing for existing in table.indexes)),
        use.entity.binding,
    )
    assert use.write is not None
    if widened is None:
        return 0
    before, after = (write_arms(layout, use.write).get(index.name) for layout in (use.entity, widened))
    return use.times * ((usual(after) if after else 0) - (usual(before) if before else 0))
