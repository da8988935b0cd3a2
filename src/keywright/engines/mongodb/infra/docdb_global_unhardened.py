"""INF310: a global cluster of DocumentDB is unencrypted or unprotected."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft
from keywright.engines.findings.program.resource import ProgramResource

GLOBAL = "aws:docdb/globalCluster:GlobalCluster"


def resource(program_resource: ProgramResource) -> Iterator[FindingDraft]:
    """Report every such cluster; one that is made from a source cluster has the encryption of the source."""
    if program_resource.type != GLOBAL:
        return
    if not program_resource.value("storageEncrypted") and "sourceDbClusterIdentifier" not in program_resource.inputs:
        yield FindingDraft(
            problem="storageEncrypted is not set: documents are written to disk unencrypted in every region",
            help="set storage_encrypted=True, which replaces the cluster",
            subject=program_resource.urn,
        )
    if not program_resource.value("deletionProtection"):
        yield FindingDraft(
            problem="deletionProtection is not set: anybody who may delete global clusters can delete it",
            help="set deletion_protection=True",
            subject=program_resource.urn,
        )
