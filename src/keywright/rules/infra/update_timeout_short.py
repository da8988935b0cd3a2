"""INF609: an update of a table with indexes may be given up before an index is built."""

from collections.abc import Iterator

from keywright.engines.flaws.context import Flaw
from keywright.engines.flaws.resource import Resource

TABLE = "aws:dynamodb/table:Table"

DEFAULT = 60
"""Minutes after which the provider gives an update up:
https://registry.terraform.io/providers/hashicorp/aws/latest/docs/resources/dynamodb_table#timeouts, 2026-11-22."""


def resource(one: Resource, *, minutes: int = 120) -> Iterator[Flaw]:
    """Every table with global indexes whose updates may not take that long.

    minutes: how long they may take at least; the indexes of a table are built one by one.
    """
    if one.type != TABLE or not one.value("globalSecondaryIndexes"):
        return
    allowed = one.update_seconds / 60 if one.update_seconds else DEFAULT
    if allowed < minutes:
        yield Flaw(
            problem=f"an update is given up after {allowed:g} minutes, and the index of a large table takes hours",
            help='say opts=ResourceOptions(custom_timeouts=CustomTimeouts(create="4h", update="4h"))',
            subject=one.urn,
        )
