"""INF111: the capacity of a DynamoDB table is registered for autoscaling, but nothing scales it."""

from collections.abc import Iterator, Sequence

from keywright.engines.dynamodb.schema.scaling import POLICY, TARGET
from keywright.engines.findings.context import FindingDraft
from keywright.engines.findings.program.resource import NotKnown, ProgramResource

_SCHEDULE = "aws:appautoscaling/scheduledAction:ScheduledAction"


def stack(all: Sequence[ProgramResource]) -> Iterator[FindingDraft]:
    """Report every target without a policy or schedule, and every target whose bounds are equal."""
    scalers = [resource for resource in all if resource.type in (POLICY, _SCHEDULE)]
    for target in all:
        if target.type != TARGET or target.value("serviceNamespace") not in (None, "dynamodb"):
            continue
        if not str(target.value("scalableDimension")).startswith("dynamodb:"):
            continue
        if not any(_scales(scaler, target) for scaler in scalers):
            problem = "no policy and no schedule in the program scales this capacity: it stays as it is, and throttles"
            help = "add an aws.appautoscaling.Policy with a target value of 70 percent"
        elif target.value("minCapacity") == target.value("maxCapacity"):
            problem = (
                f"min_capacity and max_capacity are both {target.value('minCapacity')}: the capacity cannot change"
            )
            help = "set max_capacity= to the peak, or remove the target"
        else:
            continue
        yield FindingDraft(problem=problem, help=help, subject=target.urn)


def _scales(scaler: ProgramResource, target: ProgramResource) -> bool:
    """Whether a policy or schedule may refer to a target: by dependency, or by a capacity that can be the same."""
    if any(target.urn in urns for urns in scaler.needs.values()):
        return True
    return all(_may_equal(scaler, target, path) for path in ("resourceId", "scalableDimension"))


def _may_equal(scaler: ProgramResource, target: ProgramResource, path: str) -> bool:
    try:
        return bool(scaler.value(path) == target.value(path))
    except NotKnown:
        return True
