"""INF605: an index uses the deprecated arguments `hash_key` and `range_key`."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft
from keywright.engines.findings.program.resource import ProgramResource

TABLE = "aws:dynamodb/table:Table"


def resource(program_resource: ProgramResource) -> Iterator[FindingDraft]:
    """Report every such index; a changed index may be rebuilt, which the guard reports."""
    for index in program_resource.value("globalSecondaryIndexes") or () if program_resource.type == TABLE else ():
        if not index.get("keySchemas") and index.get("hashKey") is not None:
            yield FindingDraft(
                problem=f'index "{index["name"]}" uses hash_key and range_key, which the provider has deprecated',
                help="use key_schemas=, and check with `keywright guard` that the preview does not rebuild the index",
                subject=program_resource.urn,
            )
