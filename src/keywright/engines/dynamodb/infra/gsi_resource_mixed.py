"""INF606: some indexes of a table are separate resources, others are arguments of the table."""

from collections.abc import Iterator, Sequence

from keywright.engines.findings.context import FindingDraft
from keywright.engines.findings.program.resource import ProgramResource

TABLE = "aws:dynamodb/table:Table"
INDEX = "aws:dynamodb/globalSecondaryIndex:GlobalSecondaryIndex"


def stack(all: Sequence[ProgramResource]) -> Iterator[FindingDraft]:
    """Report every separate index of a table with indexes in its arguments: each would remove the other."""
    tables = [resource for resource in all if resource.type == TABLE]
    for program_resource in all:
        if program_resource.type != INDEX:
            continue
        table = next((table for table in tables if program_resource.points_at("tableName", table, "name")), None)
        if table is not None and table.value("globalSecondaryIndexes"):
            yield FindingDraft(
                problem=(
                    f'table "{table.name}" also has indexes in its arguments, so that the next update would drop '
                    f'"{program_resource.name}"'
                ),
                help="declare all indexes in global_secondary_indexes= of the table",
                subject=program_resource.urn,
            )
