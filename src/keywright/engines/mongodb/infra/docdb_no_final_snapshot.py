"""INF613: a DocumentDB cluster is deleted without a final snapshot."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft
from keywright.engines.findings.program.resource import ProgramResource

CLUSTER = "aws:docdb/cluster:Cluster"


def resource(program_resource: ProgramResource) -> Iterator[FindingDraft]:
    """Report every cluster that skips its final snapshot."""
    if program_resource.type == CLUSTER and program_resource.value("skipFinalSnapshot"):
        yield FindingDraft(
            problem="skip_final_snapshot is true: all data is lost when the cluster is deleted",
            help='remove it, and set final_snapshot_identifier="..."',
            subject=program_resource.urn,
        )
