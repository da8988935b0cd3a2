"""INF403: a table of a keyspace in several regions has no client-side timestamps."""

from collections.abc import Iterator, Sequence

from keywright.engines.findings.context import FindingDraft
from keywright.engines.findings.program.resource import ProgramResource

KEYSPACE, TABLE = "aws:keyspaces/keyspace:Keyspace", "aws:keyspaces/table:Table"


def stack(all: Sequence[ProgramResource]) -> Iterator[FindingDraft]:
    """Report every such table."""
    keyspaces = [
        resource
        for resource in all
        if resource.type == KEYSPACE
        and resource.value("replicationSpecification.replicationStrategy") == "MULTI_REGION"
    ]
    for table in all:
        if table.type != TABLE or table.value("clientSideTimestamps.status") == "ENABLED":
            continue
        if any(table.points_at("keyspaceName", keyspace, "name") for keyspace in keyspaces):
            yield FindingDraft(
                problem="its keyspace is in several regions, which requires client-side timestamps: without them, "
                "writes of two regions cannot be ordered",
                help='set client_side_timestamps={"status": "ENABLED"}; they cannot be disabled later',
                subject=table.urn,
            )
