"""INF611: a table names a KMS key, but `enabled: false` means that the key is not used."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft
from keywright.engines.findings.program.resource import ProgramResource

TABLE = "aws:dynamodb/table:Table"


def resource(program_resource: ProgramResource) -> Iterator[FindingDraft]:
    """Report every table that names a key with enabled=False, which selects the service's own key."""
    block = program_resource.inputs.get("serverSideEncryption") if program_resource.type == TABLE else None
    if block and block.get("kmsKeyArn") is not None and not program_resource.value("serverSideEncryption.enabled"):
        yield FindingDraft(
            problem="server_side_encryption names a key, but enabled=False selects the service's own key",
            help="set enabled=True; without a key, it selects aws/dynamodb. enabled=False never disables encryption",
            subject=program_resource.urn,
        )
