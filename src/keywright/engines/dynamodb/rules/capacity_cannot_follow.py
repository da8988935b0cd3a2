"""DDB026: provisioned capacity of a table does not scale with traffic, or scales too slowly."""

from collections.abc import Iterator

from keywright.engines.dynamodb.declare.settings import DynamoEnvironment
from keywright.engines.dynamodb.findings.uses import Use, uses
from keywright.engines.dynamodb.schema.capabilities import FLAVOURS
from keywright.engines.findings.context import FindingDraft, RuleContext, TargetInEnvironment
from keywright.ir.text import counted


def models(context: RuleContext, *, flash: float = 10.0) -> Iterator[FindingDraft]:
    """Patterns whose traffic surges, on tables with scaling: it takes minutes, not seconds.

    flash: ratio of peak to usual rate from which traffic counts as a surge.
    """
    for target in context.of("dynamodb"):
        placement = target.placed.placement
        if placement is None or placement.scaling is None or placement.warm is not None:
            continue
        surges = [use for use in uses(context) if use.entity.table is target.placed and _factor(use) >= flash]
        if surges:
            use = max(surges, key=_factor)
            yield FindingDraft(
                problem=f'"{use.name}" surges to {counted(_factor(use), "time", spec=",.0f")} its usual rate, '
                "and the provisioned "
                f'capacity of table "{target.declared.name}" follows within minutes',
                help="say billing: on-demand, or warm-throughput for its peak, in the stack file",
                subject=target.declared.name,
                at=target.setting("autoscaling"),
            )


def _factor(use: Use) -> float:
    """Ratio of its peak to its usual rate; 0 if either is not declared."""
    usual, peak = use.load.per_second, use.load.peak_per_second
    return peak / usual if usual and peak else 0


def stored(target: TargetInEnvironment) -> Iterator[FindingDraft]:
    """A table with a fixed capacity, if the flavour supports scaling."""
    placement = target.placed.placement
    if (
        placement is None
        or placement.billing != "PROVISIONED"
        or placement.scaling is not None
        or not _can_scale(target)
    ):
        return
    read, write = placement.capacity or (0, 0)
    yield FindingDraft(
        problem=f'table "{target.declared.name}" has {read} read and {counted(write, "write unit")}, whatever the load',
        help="say billing: on-demand in the stack file, or autoscaling: with min and max of read and write",
        subject=target.declared.name,
        at=target.setting("capacity"),
    )


def _can_scale(target: TargetInEnvironment) -> bool:
    """Whether the flavour supports scaling; a Pulumi program's tables are always in the service."""
    environment = target.environment
    if not isinstance(environment, DynamoEnvironment):
        return True
    return FLAVOURS[environment.flavour].has("autoscaling", environment.version)
