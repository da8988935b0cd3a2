"""DDB026: provisioned capacity of a table does not scale with traffic, or scales too slowly."""

from collections.abc import Iterator

from keywright.engines.dynamodb.declare.settings import DynamoEnvironment
from keywright.engines.dynamodb.findings.scaling import added_units, factor, is_scheduled, is_short, target_percent_of
from keywright.engines.dynamodb.findings.uses import uses
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
        short = {is_write for is_write in (False, True) if is_short(table_uses, scaling, is_write=is_write)}
        surges = [use for use in table_uses if (use.write is not None) in short]
        unforeseen = [use for use in surges if not is_scheduled(use, scaling)]
        sudden = [use for use in unforeseen if factor(use) > flash]
        if not any(is_short(table_uses, scaling, is_write=is_write, rising=sudden) for is_write in short):
            unforeseen = [use for use in unforeseen if use not in sudden]  # scaling follows what slower traffic needs
        late_uses = [
            use for use in surges if target_percent_of(use, scaling) >= target_percent and factor(use) >= spike
        ]
        use = max(unforeseen or late_uses, key=lambda use: (factor(use) > flash, added_units(use)), default=None)
        if use is None:
            continue
        times = counted(factor(use), "time", spec=",.0f")
        percent = target_percent_of(use, scaling)
        late = f", from {percent} % of use on" if percent >= target_percent else ""
        if factor(use) > flash and unforeseen:
            yield FindingDraft(
                problem=f'"{use.name}" surges to {times} its usual rate, and the provisioned capacity of table '
                f'"{target.declared.name}" follows within minutes{late}',
                help="say billing: on-demand in the stack file, or schedules: in autoscaling with a higher min before "
                f"a known hour{', and target: 70 or less' if late else ''}",
                subject=target.declared.name,
                at=target.setting("autoscaling"),
            )
        elif factor(use) >= spike and late:
            yield FindingDraft(
                problem=f'"{use.name}" surges to {times} its usual rate, and scaling of table '
                f'"{target.declared.name}" starts at {percent} % of its capacity: requests are throttled for minutes',
                help="set target: 70 or less in autoscaling",
                subject=target.declared.name,
                at=target.setting("autoscaling"),
            )


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
