"""INF104: a DynamoDB table is in no backup plan, although other tables are."""

from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from typing import Any

from keywright.engines.findings.context import FindingDraft
from keywright.engines.findings.program.resource import NotKnown, ProgramResource

TABLE, SELECTION = "aws:dynamodb/table:Table", "aws:backup/selection:Selection"


def stack(all: Sequence[ProgramResource], *, required: bool = False) -> Iterator[FindingDraft]:
    """Report every table that no selection of a backup plan contains.

    required: whether tables are reported even if the program has no backup plan.
    """
    selections = [resource for resource in all if resource.type == SELECTION]
    for program_resource in all if selections or required else ():
        if program_resource.type == TABLE and not any(takes(selection, program_resource) for selection in selections):
            yield FindingDraft(
                problem=f'table "{program_resource.name}" is in no backup plan',
                help="add its ARN, or one of its tags, to an aws.backup.Selection",
                subject=program_resource.urn,
            )


def takes(selection: ProgramResource, table: ProgramResource) -> bool:
    """Whether a selection of a backup plan refers to a table, matches its ARN, or selects one of its tags."""
    if table.urn in selection.needs.get("resources", ()):
        return True
    try:
        patterns = [str(pattern) for pattern in selection.value("resources") or ()]
        tags: list[Any] = selection.value("selectionTags") or []
    except NotKnown:
        return False  # it depends on other resources, which `needs` lists
    own = dict(table.value("tags") or {})
    arn = f"arn:aws:dynamodb:eu-west-1:000000000000:table/{table.value('name') or table.name}"
    return any(_fits(arn, pattern) for pattern in patterns) or any(own.get(tag["key"]) == tag["value"] for tag in tags)


def _fits(arn: str, pattern: str) -> bool:
    """Whether a pattern matches the table's name, in any region and account."""
    if pattern == "*":
        return True
    kind, name = arn.split(":")[2], arn.split(":", 5)[5]
    parts = pattern.split(":", 5)
    return len(parts) == 6 and fnmatchcase(kind, parts[2]) and fnmatchcase(name, parts[5])
