"""INF605: an index says its key by the two words that came before key_schemas."""

from collections.abc import Iterator

from keywright.engines.flaws.context import Flaw
from keywright.engines.flaws.resource import Resource

TABLE = "aws:dynamodb/table:Table"


def resource(one: Resource) -> Iterator[Flaw]:
    """Every such index; one that is changed may be made anew, which the guard tells."""
    for index in one.value("globalSecondaryIndexes") or () if one.type == TABLE else ():
        if not index.get("keySchemas") and index.get("hashKey") is not None:
            yield Flaw(
                problem=f'index "{index["name"]}" says hash_key and range_key, which the provider has deprecated',
                help="say key_schemas=, and see by `keywright guard` that the preview does not make the index anew",
                subject=one.urn,
            )
