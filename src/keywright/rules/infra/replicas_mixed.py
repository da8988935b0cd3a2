"""INF607: copies of a table in other regions are resources of their own, and the table would drop them."""

from collections.abc import Iterator, Sequence

from keywright.engines.flaws.context import Flaw
from keywright.engines.flaws.resource import Resource

TABLE, REPLICA = "aws:dynamodb/table:Table", "aws:dynamodb/tableReplica:TableReplica"


def stack(all: Sequence[Resource]) -> Iterator[Flaw]:
    """Every table with such copies that does not ignore them."""
    replicas = [one for one in all if one.type == REPLICA]
    for one in all:
        if one.type != TABLE or "replicas" in one.ignores:
            continue
        if any(replica.points_at("globalTableArn", one, "name", "*:table/{}") for replica in replicas):
            yield Flaw(
                problem=f'table "{one.name}" has copies that are resources of their own, and says that it has none',
                help='say opts=ResourceOptions(ignore_changes=["replicas"]); or the copies in replicas= of the table',
                subject=one.urn,
            )
