"""INF607: replicas of a table are separate resources, but the table does not ignore `replicas`."""

from collections.abc import Iterator, Sequence

from keywright.engines.findings.context import FindingDraft
from keywright.engines.findings.program.resource import ProgramResource

TABLE, REPLICA = "aws:dynamodb/table:Table", "aws:dynamodb/tableReplica:TableReplica"


def stack(all: Sequence[ProgramResource]) -> Iterator[FindingDraft]:
    """Report every table with such replicas that does not ignore them."""
    replicas = [resource for resource in all if resource.type == REPLICA]
    for program_resource in all:
        if program_resource.type != TABLE or "replicas" in program_resource.ignores:
            continue
        if any(replica.points_at("globalTableArn", program_resource, "name", "*:table/{}") for replica in replicas):
            yield FindingDraft(
                problem=(
                    f'table "{program_resource.name}" has replicas as separate resources, but none in its '
                    "arguments, so that an update would remove them"
                ),
                help='set opts=ResourceOptions(ignore_changes=["replicas"]), or declare them in replicas= of the table',
                subject=program_resource.urn,
            )
