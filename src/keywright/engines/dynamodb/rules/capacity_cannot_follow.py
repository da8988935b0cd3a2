"""DDB026: provisioned capacity of a table does not scale with traffic, or scales too slowly."""

from collections.abc import Iterator

from keywright.engines.dynamodb.declare.settings import Autoscaling, DynamoEnvironment
from keywright.engines.dynamodb.findings.throughput import total_units, units_of
from keywright.engines.dynamodb.findings.uses import Use, uses
from keywright.engines.dynamodb.schema.capabilities import FLAVOURS
from keywright.engines.findings.context import FindingDraft, RuleContext, TargetInEnvironment
from keywright.ir.text import counted


def models(
    context: RuleContext, *, flash: float = 10.0, spike: float = 2.0, target_percent: int = 85
) -> Iterator[FindingDraft]:
    """Patterns whose traffic surges, on tables with scaling: it takes minutes, not seconds.

    flash: ratio of peak to usual rate above which traffic counts as a surge that needs a schedule. spike: the same for
    tables whose scaling starts late, from which a pattern is reported. target_percent: target utilisation from which it
    starts late.
    """
    for target in context.of("dynamodb"):
        placement = target.placed.placement
        scaling = placement.scaling if placement is not None else None
        if scaling is None:
            continue
        table_uses = [use for use in uses(context) if use.entity.table is target.placed]
        short = {is_write for is_write in (False, True) if _is_short(table_uses, scaling, is_write=is_write)}
        surges = [use for use in table_uses if (use.write is not None) in short]
        unforeseen = [use for use in surges if not _is_scheduled(use, scaling)]
        late_uses = [use for use in surges if _target(use, scaling) >= target_percent and _factor(use) >= spike]
        use = max(unforeseen or late_uses, key=lambda use: (_factor(use) > flash, _added_units(use)), default=None)
        if use is None:
            continue
        factor = counted(_factor(use), "time", spec=",.0f")
        percent = _target(use, scaling)
        late = f", from {percent} % of use on" if percent >= target_percent else ""
        if _factor(use) > flash and unforeseen:
            yield FindingDraft(
                problem=f'"{use.name}" surges to {factor} its usual rate, and the provisioned capacity of table '
                f'"{target.declared.name}" follows within minutes{late}',
                help="say billing: on-demand in the stack file, or schedules: in autoscaling with a higher min before "
                f"a known hour{', and target: 70 or less' if late else ''}",
                subject=target.declared.name,
                at=target.setting("autoscaling"),
            )
        elif _factor(use) >= spike and late:
            yield FindingDraft(
                problem=f'"{use.name}" surges to {factor} its usual rate, and scaling of table '
                f'"{target.declared.name}" starts at {percent} % of its capacity: requests are throttled for minutes',
                help="set target: 70 or less in autoscaling",
                subject=target.declared.name,
                at=target.setting("autoscaling"),
            )


def _is_short(table_uses: list[Use], scaling: Autoscaling, *, is_write: bool) -> bool:
    """Whether the peak of reads or writes exceeds the capacity that the table or an index has before it."""
    served = [use for use in table_uses if use.call is not None]
    usual, peak = (units_of(served, is_peak=is_peak) for is_peak in (False, True))
    bounds = scaling.write if is_write else scaling.read
    for index, units in peak.items():
        needed, before = (units.write, usual[index].write) if is_write else (units.read, usual[index].read)
        if needed > max(bounds.min, before * 100 / bounds.target):
            return True
    return False


def _is_scheduled(use: Use, scaling: Autoscaling) -> bool:
    """Whether a schedule raises the capacity that it uses."""
    least = (scaling.read if use.write is None else scaling.write).min
    bounds = (schedule.read if use.write is None else schedule.write for schedule in scaling.schedules)
    return any(bound is not None and bound.min > least for bound in bounds)


def _target(use: Use, scaling: Autoscaling) -> int:
    """Percentage of the capacity that it uses from which scaling begins; a schedule does not change it."""
    return (scaling.read if use.write is None else scaling.write).target


def _factor(use: Use) -> float:
    """Ratio of its peak to its usual rate; 0 if either is not declared."""
    usual, peak = use.load.per_second, use.load.peak_per_second
    return peak / usual if usual and peak else 0


def _added_units(use: Use) -> float:
    """Units a second by which its peak exceeds its usual rate."""
    if use.call is None:
        return 0
    usual, peak = (total_units(units_of([use], is_peak=is_peak)) for is_peak in (False, True))
    return peak.read + peak.write - usual.read - usual.write


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
