"""INF104: a DynamoDB table is in no backup plan, where others of the program are."""

from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from typing import Any

from keywright.engines.flaws.context import Flaw
from keywright.engines.flaws.resource import NotKnown, Resource

TABLE, SELECTION = "aws:dynamodb/table:Table", "aws:backup/selection:Selection"


def stack(all: Sequence[Resource], *, required: bool = False) -> Iterator[Flaw]:
    """Every table that no selection of a plan takes.

    required: whether it must be in one even where the program has no plan at all.
    """
    selections = [one for one in all if one.type == SELECTION]
    for one in all if selections or required else ():
        if one.type == TABLE and not any(_takes(selection, one) for selection in selections):
            yield Flaw(
                problem=f'table "{one.name}" is in no backup plan',
                help="name its ARN, or a tag that it has, in an aws.backup.Selection",
                subject=one.urn,
            )


def _takes(selection: Resource, table: Resource) -> bool:
    """Whether a selection is made of a table, has a pattern of its ARN, or a tag that it has."""
    if table.urn in selection.needs.get("resources", ()):
        return True
    try:
        patterns = [str(one) for one in selection.value("resources") or ()]
        tags: list[Any] = selection.value("selectionTags") or []
    except NotKnown:
        return False  # made of other resources, which Pulumi tells by their names
    own = dict(table.value("tags") or {})
    arn = f"arn:aws:dynamodb:eu-west-1:000000000000:table/{table.value('name') or table.name}"
    return any(_fits(arn, pattern) for pattern in patterns) or any(own.get(one["key"]) == one["value"] for one in tags)


def _fits(arn: str, pattern: str) -> bool:
    """Whether a pattern is about a table of that name, whatever its region and account."""
    if pattern == "*":
        return True
    kind, name = arn.split(":")[2], arn.split(":", 5)[5]
    parts = pattern.split(":", 5)
    return len(parts) == 6 and fnmatchcase(kind, parts[2]) and fnmatchcase(name, parts[5])
