"""INF609: the update of a table can time out before an index is built."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft
from keywright.engines.findings.program.resource import ProgramResource
from keywright.ir.text import counted, figure

TABLE = "aws:dynamodb/table:Table"

DEFAULT = 60
"""Default timeout of the provider in minutes:
https://registry.terraform.io/providers/hashicorp/aws/latest/docs/resources/dynamodb_table#timeouts, 2026-11-22."""


def resource(program_resource: ProgramResource, *, minutes: int = 120) -> Iterator[FindingDraft]:
    """Report every table with global indexes and a shorter timeout.

    minutes: shortest allowed timeout; the indexes of a table are built one by one.
    """
    if program_resource.type != TABLE or not program_resource.value("globalSecondaryIndexes"):
        return
    allowed = program_resource.update_seconds / 60 if program_resource.update_seconds else DEFAULT
    if allowed < minutes:
        yield FindingDraft(
            problem=f"an update times out after {counted(allowed, 'minute', spec=figure)}, but the index of a "
            "large table takes hours to build",
            help='set opts=ResourceOptions(custom_timeouts=CustomTimeouts(create="4h", update="4h"))',
            subject=program_resource.urn,
        )
