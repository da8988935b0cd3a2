"""INF608: the billing mode of a DynamoDB table is not set."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft
from keywright.engines.findings.program.resource import ProgramResource

TABLE = "aws:dynamodb/table:Table"


def resource(program_resource: ProgramResource) -> Iterator[FindingDraft]:
    """Report every table with the provider's default billing mode."""
    if program_resource.type == TABLE and (
        "billingMode" not in program_resource.inputs or "billingMode" in program_resource.inputs.get("__defaults", ())
    ):
        yield FindingDraft(
            problem="billing_mode is not set; the default is PROVISIONED, with a capacity that does not scale",
            help='set billing_mode="PAY_PER_REQUEST", or "PROVISIONED" if that is intended',
            subject=program_resource.urn,
        )
