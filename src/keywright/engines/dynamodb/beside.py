"""The resources that stand beside a table's own: how its capacity scales, what counts its keys."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from keywright.engines.resource import Resource
from keywright.ir.json import Json

from . import scaling
from .target import TableTarget

INSIGHTS = "aws:dynamodb/contributorInsights:ContributorInsights"
"""The type of what counts the keys of a table or an index."""


def beside(name: str, table: TableTarget) -> tuple[Resource, ...]:
    """The resources beside that of a placed table, each behind what it is within.

    name: what the stack calls the table, and what the names of these begin with.
    """
    return (*scaling.resources(name, table), *_insights(name, table))


def with_what_is_beside(table: TableTarget, resources: Sequence[Resource]) -> TableTarget:
    """The table as the resources beside it say too; the inverse of `beside`."""
    if table.placement is None:
        return table
    has_insights = any(one.type == INSIGHTS for one in resources)
    told = replace(table.placement, scaling=scaling.read(resources), has_insights=has_insights)
    return replace(table, placement=told)


def _insights(name: str, table: TableTarget) -> Iterator[Resource]:
    if table.placement is None or not table.placement.has_insights:
        return
    of_table: dict[str, Json] = {"tableName": table.name}
    yield Resource(INSIGHTS, f"{name}/insights", f"{table.name}/insights", of_table, name)
    for index in table.indexes:
        part = f"index/{index.name}/insights"
        of_index = {**of_table, "indexName": index.name}
        yield Resource(INSIGHTS, f"{name}/{part}", f"{table.name}/{part}", of_index, name)
