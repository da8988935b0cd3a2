"""DDB026: a table has provisioned capacity that does not follow the load, or follows it too slowly."""

from collections.abc import Iterator

from keywright.engines.dynamodb.capabilities import FLAVOURS
from keywright.engines.dynamodb.settings import DynamoEnvironment
from keywright.engines.dynamodb.uses import uses
from keywright.engines.flaws.context import Flaw, Stored, Whole


def models(whole: Whole, *, flash: float = 10.0) -> Iterator[Flaw]:
    """Patterns that surge, on tables whose capacity scales: it does so within minutes, not seconds.

    flash: by how much a peak is above the usual rate where traffic is a surge.
    """
    stored = {id(one.placed): one for one in whole.of("dynamodb")}
    for use in uses(whole):
        one, load = stored.get(id(use.entity.table)), use.load
        placement = one.placed.placement if one else None
        if one is None or placement is None or placement.scaling is None or placement.warm is not None:
            continue
        if load.per_second and load.peak_per_second and load.peak_per_second >= flash * load.per_second:
            yield Flaw(
                problem=f'"{use.name}" surges from {load.per_second:,.0f} to {load.peak_per_second:,.0f} calls a '
                f'second, and the provisioned capacity of table "{one.declared.name}" follows within minutes',
                help="say billing: on-demand, or warm-throughput for its peak, in the stack file",
                subject=one.declared.name,
                at=one.stack,
            )


def stored(one: Stored) -> Iterator[Flaw]:
    """A table with a fixed capacity, where the service could do better."""
    placement = one.placed.placement
    if placement is None or placement.billing != "PROVISIONED" or placement.scaling is not None or not _can_scale(one):
        return
    read, write = placement.capacity or (0, 0)
    yield Flaw(
        problem=f'table "{one.declared.name}" has {read} read and {write} write units, whatever the load',
        help="say billing: on-demand in the stack file, or autoscaling: with min and max of read and write",
        subject=one.declared.name,
        at=one.stack,
    )


def _can_scale(one: Stored) -> bool:
    """Whether the flavour has what scales; what a program makes by itself is of the service."""
    environment = one.environment
    if not isinstance(environment, DynamoEnvironment):
        return True
    return FLAVOURS[environment.flavour].has("autoscaling", environment.version)
