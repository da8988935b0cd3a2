"""INF611: a key for a table is named, and the flag beside it says that it is not used."""

from collections.abc import Iterator

from keywright.engines.flaws.context import Flaw
from keywright.engines.flaws.resource import Resource

TABLE = "aws:dynamodb/table:Table"


def resource(one: Resource) -> Iterator[Flaw]:
    """Every table that names a key with enabled=False, which means the key that the service owns."""
    block = one.inputs.get("serverSideEncryption") if one.type == TABLE else None
    if block and block.get("kmsKeyArn") is not None and not one.value("serverSideEncryption.enabled"):
        yield Flaw(
            problem="server_side_encryption names a key with enabled=False, which means the service's own key",
            help="say enabled=True; enabled=False is never unencrypted, and enabled=True without a key is aws/dynamodb",
            subject=one.urn,
        )
