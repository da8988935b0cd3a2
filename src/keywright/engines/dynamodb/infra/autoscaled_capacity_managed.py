"""INF603: both Pulumi and autoscaling set the capacity of a table, or neither does."""

from collections.abc import Iterator, Sequence

from keywright.engines.dynamodb.schema.scaling import TARGET
from keywright.engines.findings.context import FindingDraft
from keywright.engines.findings.program.resource import ProgramResource

TABLE = "aws:dynamodb/table:Table"

_CAPACITY = ("readCapacity", "writeCapacity")


def stack(all: Sequence[ProgramResource]) -> Iterator[FindingDraft]:
    """Report every autoscaled table whose capacity the program resets, and every ignored capacity without scaling."""
    targets = [resource for resource in all if resource.type == TARGET]
    for program_resource in all:
        if program_resource.type != TABLE:
            continue
        scaled = {side for target in targets for side in _CAPACITY if _scales(target, program_resource, side)}
        ignored = {side for side in _CAPACITY if side in program_resource.ignores or "*" in program_resource.ignores}
        if missing := sorted(scaled - ignored):
            yield FindingDraft(
                problem=(
                    f'autoscaling sets the capacity of table "{program_resource.name}", but each update resets '
                    f"{' and '.join(missing)}"
                ),
                help=f"set opts=ResourceOptions(ignore_changes={missing!r})".replace("'", '"'),
                subject=program_resource.urn,
            )
        elif (idle := sorted(ignored - scaled)) and "*" not in program_resource.ignores:
            yield FindingDraft(
                problem=(
                    f'table "{program_resource.name}" ignores changes of {" and ".join(idle)}, but nothing '
                    "in the program scales it"
                ),
                help="remove it from ignore_changes, or add the aws.appautoscaling.Target that owns it",
                subject=program_resource.urn,
            )


def _scales(target: ProgramResource, table: ProgramResource, side: str) -> bool:
    """Whether a scaling target is for one side of a table's capacity."""
    word = "Read" if side == "readCapacity" else "Write"
    is_of_side = target.value("scalableDimension") == f"dynamodb:table:{word}CapacityUnits"
    return is_of_side and target.points_at("resourceId", table, "name", "table/{}")
