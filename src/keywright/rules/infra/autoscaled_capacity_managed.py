"""INF603: who owns the capacity of a table is said twice, or not at all."""

from collections.abc import Iterator, Sequence

from keywright.engines.dynamodb.scaling import TARGET
from keywright.engines.flaws.context import Flaw
from keywright.engines.flaws.resource import Resource

TABLE = "aws:dynamodb/table:Table"

_CAPACITY = ("readCapacity", "writeCapacity")


def stack(all: Sequence[Resource]) -> Iterator[Flaw]:
    """Every table whose capacity scales and whose program sets it back, or that ignores what nobody scales."""
    targets = [one for one in all if one.type == TARGET]
    for one in all:
        if one.type != TABLE:
            continue
        scaled = {side for target in targets for side in _CAPACITY if _scales(target, one, side)}
        ignored = {side for side in _CAPACITY if side in one.ignores or "*" in one.ignores}
        if missing := sorted(scaled - ignored):
            yield Flaw(
                problem=f'table "{one.name}" scales by itself, and each update sets {" and ".join(missing)} back',
                help=f"say opts=ResourceOptions(ignore_changes={missing!r})".replace("'", '"'),
                subject=one.urn,
            )
        elif (idle := sorted(ignored - scaled)) and "*" not in one.ignores:
            yield Flaw(
                problem=f'table "{one.name}" ignores changes of {" and ".join(idle)}, and nothing here scales it',
                help="take it off ignore_changes, or add the aws.appautoscaling.Target that owns it",
                subject=one.urn,
            )


def _scales(target: Resource, table: Resource, side: str) -> bool:
    """Whether a target is that of a table's capacity."""
    word = "Read" if side == "readCapacity" else "Write"
    is_of_side = target.value("scalableDimension") == f"dynamodb:table:{word}CapacityUnits"
    return is_of_side and target.points_at("resourceId", table, "name", "table/{}")
