"""INF110: a global table of DynamoDB uses the legacy version 2017.11.29."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft
from keywright.engines.findings.program.resource import ProgramResource

LEGACY = "aws:dynamodb/globalTable:GlobalTable"


def resource(program_resource: ProgramResource) -> Iterator[FindingDraft]:
    """Report every such global table."""
    if program_resource.type == LEGACY:
        yield FindingDraft(
            problem="it is a global table of version 2017.11.29: each write costs more, and a region cannot be added "
            "to a table with items",
            help="update it to version 2019.11.21, then declare replicas= of the aws.dynamodb.Table",
            subject=program_resource.urn,
        )
