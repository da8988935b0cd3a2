"""DDB026: a table has provisioned capacity that does not follow the load, or follows it too slowly."""

from collections.abc import Iterator

from keywright.engines.dynamodb.capabilities import FLAVOURS
from keywright.engines.dynamodb.settings import DynamoEnvironment
from keywright.engines.dynamodb.uses import Use, uses
from keywright.engines.flaws.context import Flaw, Stored, Whole


def models(whole: Whole, *, flash: float = 10.0) -> Iterator[Flaw]:
    """Patterns that surge, on tables whose capacity scales: it does so within minutes, not seconds.

    flash: by how much a peak is above the usual rate where traffic is a surge.
    """
    for one in whole.of("dynamodb"):
        placement = one.placed.placement
        if placement is None or placement.scaling is None or placement.warm is not None:
            continue
        surges = [use for use in uses(whole) if use.entity.table is one.placed and _factor(use) >= flash]
        if surges:
            use = max(surges, key=_factor)
            yield Flaw(
                problem=f'"{use.name}" surges to {_factor(use):,.0f} times its usual rate, and the provisioned '
                f'capacity of table "{one.declared.name}" follows within minutes',
                help="say billing: on-demand, or warm-throughput for its peak, in the stack file",
                subject=one.declared.name,
                at=one.stack,
            )


def _factor(use: Use) -> float:
    """By how much its peak is above its usual rate; 0 where nothing says so."""
    usual, peak = use.load.per_second, use.load.peak_per_second
    return peak / usual if usual and peak else 0


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
