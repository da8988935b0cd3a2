"""INF608: nobody has said how the throughput of a table is paid for."""

from collections.abc import Iterator

from keywright.engines.flaws.context import Flaw
from keywright.engines.flaws.resource import Resource

TABLE = "aws:dynamodb/table:Table"


def resource(one: Resource) -> Iterator[Flaw]:
    """Every table whose billing is the provider's default."""
    if one.type == TABLE and ("billingMode" not in one.inputs or "billingMode" in one.inputs.get("__defaults", ())):
        yield Flaw(
            problem="billing_mode is not said, and by itself PROVISIONED: with capacity that follows no load",
            help='say billing_mode="PAY_PER_REQUEST", or "PROVISIONED" if it is meant',
            subject=one.urn,
        )
