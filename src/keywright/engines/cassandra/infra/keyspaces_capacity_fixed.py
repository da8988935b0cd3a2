"""INF404: the provisioned capacity of a Keyspaces table does not scale."""

from collections.abc import Iterator, Sequence

from keywright.engines.findings.context import FindingDraft
from keywright.engines.findings.program.resource import ProgramResource

TABLE, TARGET = "aws:keyspaces/table:Table", "aws:appautoscaling/target:Target"

_SIDES = ("read", "write")


def stack(all: Sequence[ProgramResource]) -> Iterator[FindingDraft]:
    """Report every provisioned table without an autoscaling target for reads or for writes."""
    targets = [resource for resource in all if resource.type == TARGET]
    for table in all:
        if table.type != TABLE or table.value("capacitySpecification.throughputMode") != "PROVISIONED":
            continue
        fixed = [side for side in _SIDES if not any(_scales(target, table, side) for target in targets)]
        if fixed:
            figures = " and ".join(
                f"{table.value(f'capacitySpecification.{side}CapacityUnits')} for {side}s" for side in fixed
            )
            yield FindingDraft(
                problem=f"nothing scales its capacity of {figures}: requests above it fail",
                help='add an aws.appautoscaling.Target for reads and for writes, or throughput_mode="PAY_PER_REQUEST"',
                subject=table.urn,
            )


def _scales(target: ProgramResource, table: ProgramResource, side: str) -> bool:
    if target.value("scalableDimension") != f"cassandra:table:{side.title()}CapacityUnits":
        return False
    return target.points_at("resourceId", table, "tableName", "keyspace/*/table/{}")
