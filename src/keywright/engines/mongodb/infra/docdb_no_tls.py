"""INF308: a DocumentDB cluster accepts connections without TLS."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft
from keywright.engines.findings.program.resource import ProgramResource

GROUP = "aws:docdb/clusterParameterGroup:ClusterParameterGroup"


def resource(program_resource: ProgramResource) -> Iterator[FindingDraft]:
    """Report every parameter group that disables TLS, which is enabled by default."""
    if program_resource.type == GROUP and any(
        row["name"] == "tls" and row["value"] == "disabled" for row in program_resource.value("parameters") or ()
    ):
        yield FindingDraft(
            problem="the parameter tls is disabled: passwords and documents cross the network unencrypted",
            help="remove it, and install the certificate of the region in clients",
            subject=program_resource.urn,
        )
