"""DDB110: an index has less write capacity than its table, and throttles it.

https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.html (2026-11-22), "Provisioned throughput
considerations": a put or an update fails where an index cannot take it.
"""

from collections.abc import Iterator

from keywright.engines.flaws.context import Flaw
from keywright.engines.flaws.resource import Resource

_TABLE = "aws:dynamodb/table:Table"


def resource(one: Resource, *, share: float = 1.0) -> Iterator[Flaw]:
    """Every such index of a provisioned table.

    share: part of the table's write capacity that an index needs; less where few items are in it.
    """
    if one.type != _TABLE or one.value("billingMode") == "PAY_PER_REQUEST":
        return
    capacity = one.value("writeCapacity") or 0
    for index in one.value("globalSecondaryIndexes") or ():
        own = index.get("writeCapacity") or 0
        if own < share * capacity:
            yield Flaw(
                problem=f'index "{index.get("name")}" has {own:g} write units and its table {capacity:g}: what it '
                "cannot take, the table refuses",
                help="give it as many as the table; or say billing_mode PAY_PER_REQUEST",
                subject=one.urn,
            )
