"""Units a second that declared patterns consume of a table and of each index, bytes of a table, and their prices."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Literal

from keywright.access.cost import Band
from keywright.engines.dynamodb.access.cost.call import cost
from keywright.engines.dynamodb.access.cost.size import entry_bytes, item_bytes
from keywright.engines.dynamodb.access.layout import Layout
from keywright.engines.dynamodb.declare.settings import Autoscaling, DynamoEnvironment, TableSettings, Throughput
from keywright.engines.dynamodb.schema.capabilities import (
    READ_HOUR_PRICE,
    READ_REQUEST_PRICE,
    WRITE_HOUR_PRICE,
    WRITE_REQUEST_PRICE,
)
from keywright.engines.dynamodb.schema.target import TableTarget
from keywright.engines.findings.context import RuleContext, TargetInEnvironment
from keywright.engines.findings.pattern_facts import expected
from keywright.record import Record

from .uses import Use, settings_of, uses

MONTH_HOURS = 730
"""Hours of a month, as in the price lists."""

UTILISATION = 0.7
"""Usual share of provisioned capacity that is used, the default target of scaling."""

_SHARE = 0.1
"""Share of the peak below which limits are those of an environment with less traffic."""


class Units(Record):
    """Read and write units a second."""

    read: float = 0
    """Read units."""
    write: float = 0
    """Write units."""

    def __add__(self, other: "Units") -> "Units":
        return Units(self.read + other.read, self.write + other.write)


def uses_of(context: RuleContext, table: TableTarget) -> list[Use]:
    """Served uses of a placed table."""
    return [use for use in uses(context) if use.entity.table is table and use.call is not None]


def units_of(table_uses: Iterable[Use], *, is_peak: bool) -> Mapping[str, Units]:
    """Units by index, and of the table under an empty name; a lower bound if a rate is unknown or an answer cached."""
    sums: dict[str, Units] = defaultdict(Units)
    for use in table_uses:
        rate = use.per_second if is_peak else use.load.per_second
        if rate is None or use.pattern.cache_ttl_seconds:
            continue
        for index, band in cost(use.planned).arms:
            units = rate * usual(band) * (1 if index else use.times)
            sums[index] += Units(units, 0) if use.write is None else Units(0, units)
    return sums


def busy_tables(context: RuleContext) -> Iterator[tuple[TargetInEnvironment, TableSettings, list[Use]]]:
    """(table, its settings, its uses) for tables of `settings_of` that get the declared traffic.

    Limits of on-demand billing far below the peak are those of an environment with less
    traffic, such as staging, if another environment has none as low.
    """
    for target, settings in settings_of(context):
        table_uses = uses_of(context, target.placed)
        limits = settings.on_demand_limits if settings.billing == "on-demand" else None
        if limits is not None and _is_small(limits, table_uses) and _has_larger(context, target.declared.name, limits):
            continue
        yield target, settings, table_uses


def _is_small(limits: Throughput, table_uses: list[Use]) -> bool:
    """Whether a limit of reads or of writes is far below the peak."""
    peaks = units_of(table_uses, is_peak=True).values()
    read, write = max((peak.read for peak in peaks), default=0), max((peak.write for peak in peaks), default=0)
    sides = ((limits.read, read), (limits.write, write))
    return any(limit < _SHARE * peak for limit, peak in sides)


def _has_larger(context: RuleContext, table: str, limits: Throughput) -> bool:
    """Whether another environment with approved migrations gives the table more."""
    for environment in context.other_environments():
        settings = environment.engines.get("dynamodb")
        if environment.mode == "gated" and isinstance(settings, DynamoEnvironment):
            others = settings.of_table(table).on_demand_limits
            if others is None or others.read > limits.read or others.write > limits.write:
                return True
    return False


def total_units(units: Mapping[str, Units]) -> Units:
    """The sum over the table and its indexes."""
    return sum(units.values(), Units())


def monthly_price(units: Units, *, is_provisioned: bool) -> float:
    """Dollars a month for these units in the standard class."""
    if is_provisioned:
        hourly = units.read * READ_HOUR_PRICE.value + units.write * WRITE_HOUR_PRICE.value
        return hourly / UTILISATION * MONTH_HOURS
    each_second = units.read * READ_REQUEST_PRICE.value + units.write * WRITE_REQUEST_PRICE.value
    return each_second * 3600 * MONTH_HOURS


def provisioned_price(units: Mapping[str, Units], table: TableTarget, *, is_most: bool = False) -> float:
    """Dollars a month for the capacity of the table and each index in the standard class: what these units need, and
    at least the lower bounds of scaling; or the fixed capacity.

    is_most: whether the highest lower bounds of schedules count for every hour of the month, or none of them.
    """
    scaling = table.placement.scaling if table.placement else None
    fixed = table.placement.capacity if table.placement and scaling is None else None
    total = Units()
    for index in ("", *(index.name for index in table.indexes)):
        needed = units.get(index, Units())
        if fixed is not None:
            total += Units(*fixed)
        else:
            least = (
                Units(*(_least(scaling, side, is_most=is_most) for side in ("read", "write"))) if scaling else Units()
            )
            total += Units(max(needed.read / UTILISATION, least.read), max(needed.write / UTILISATION, least.write))
    return (total.read * READ_HOUR_PRICE.value + total.write * WRITE_HOUR_PRICE.value) * MONTH_HOURS


def _least(scaling: Autoscaling, side: Literal["read", "write"], *, is_most: bool) -> float:
    """The lower bound of scaling; the highest one of all schedules, if it counts."""
    bounds = [getattr(scaling, side), *(getattr(schedule, side) for schedule in scaling.schedules if is_most)]
    return float(max(bound.min for bound in bounds if bound is not None))


def stored_bytes(layouts: Iterable[Layout]) -> float | None:
    """Expected bytes of entities with their index entries; None if the number of items of one is unknown."""
    total = 0.0
    for entity in layouts:
        count = expected(entity.binding)
        if count is None:
            return None
        entries = (entry_bytes(entity, route) for route in entity.routes[1:] if not route.where and not route.optional)
        total += count * sum(usual(band) for band in (item_bytes(entity), *entries))
    return total


def usual(band: Band) -> float:
    """Expected value of a band, else the least."""
    return band.low if band.expected is None else band.expected
