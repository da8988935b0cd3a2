"""DDB110: a global index has less write capacity than its table, and throttles the table.

https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.html (2026-11-22), "Provisioned throughput
considerations": a put or an update fails if an index cannot accept it.
"""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft
from keywright.engines.findings.program.resource import ProgramResource
from keywright.ir.text import counted, figure

_TABLE = "aws:dynamodb/table:Table"


def resource(program_resource: ProgramResource, *, share: float = 1.0) -> Iterator[FindingDraft]:
    """Indexes of a provisioned table with less write capacity than the table.

    share: part of the table's write capacity that an index needs; less if it contains few items.
    """
    if program_resource.type != _TABLE or program_resource.value("billingMode") == "PAY_PER_REQUEST":
        return
    capacity = program_resource.value("writeCapacity") or 0
    for index in program_resource.value("globalSecondaryIndexes") or ():
        index_capacity = index.get("writeCapacity") or 0
        if index_capacity < share * capacity:
            yield FindingDraft(
                problem=f'index "{index.get("name")}" has {counted(index_capacity, "write unit", spec=figure)} and its '
                f"table {figure(capacity)}: what it "
                "cannot take, the table refuses",
                help="give it as many as the table; or say billing_mode PAY_PER_REQUEST",
                subject=program_resource.urn,
            )
