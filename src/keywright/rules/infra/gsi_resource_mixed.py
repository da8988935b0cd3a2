"""INF606: indexes of one table are resources of their own, which the provider calls experimental, or both."""

from collections.abc import Iterator, Sequence

from keywright.engines.flaws.context import Flaw
from keywright.engines.flaws.resource import Resource

TABLE = "aws:dynamodb/table:Table"
INDEX = "aws:dynamodb/globalSecondaryIndex:GlobalSecondaryIndex"


def stack(all: Sequence[Resource]) -> Iterator[Flaw]:
    """Every index beside a table that has indexes of its own: each takes the other's for strange."""
    tables = [one for one in all if one.type == TABLE]
    for one in all:
        if one.type != INDEX:
            continue
        table = next((table for table in tables if one.points_at("tableName", table, "name")), None)
        if table is not None and table.value("globalSecondaryIndexes"):
            yield Flaw(
                problem=f'table "{table.name}" has indexes of its own, and would drop "{one.name}" in the next update',
                help="say all indexes in global_secondary_indexes= of the table",
                subject=one.urn,
            )
