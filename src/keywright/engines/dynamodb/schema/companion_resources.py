"""Companion resources of a table: scaling of its capacity, contributor insights, and a stream of Kinesis."""

from collections.abc import Iterator, Sequence

from keywright.engines.contract.resource import StackResource
from keywright.ir.json import Json
from keywright.record import replace

from . import scaling
from .target import TableTarget

INSIGHTS = "aws:dynamodb/contributorInsights:ContributorInsights"
"""Resource type that counts the requested keys of a table or an index."""


KINESIS = "aws:dynamodb/kinesisStreamingDestination:KinesisStreamingDestination"
"""Resource type that sends the changes of a table to a stream of Kinesis; a table has one at most.
Source: https://www.pulumi.com/registry/packages/aws/api-docs/dynamodb/kinesisstreamingdestination/, 2026-11-28."""


def companion_resources(name: str, table: TableTarget) -> tuple[StackResource, ...]:
    """Companion resources of a placed table, each after the resource that contains it.

    name: the table's name in the stack, and the prefix of the companions' names.
    """
    return (*scaling.resources(name, table), *_insights(name, table), *_kinesis(name, table))


def with_companions(table: TableTarget, resources: Sequence[StackResource]) -> TableTarget:
    """Table with the settings of its companion resources; the inverse of `companion_resources`."""
    if table.placement is None:
        return table
    has_insights = any(resource.type == INSIGHTS for resource in resources)
    streams = (str(resource.inputs["streamArn"]) for resource in resources if resource.type == KINESIS)
    placement = replace(
        table.placement,
        scaling=scaling.read(resources),
        has_insights=has_insights,
        kinesis_stream=next(streams, None),
    )
    return replace(table, placement=placement)


def _kinesis(name: str, table: TableTarget) -> Iterator[StackResource]:
    arn = table.placement.kinesis_stream if table.placement is not None else None
    if arn is not None:
        inputs: dict[str, Json] = {"tableName": table.name, "streamArn": arn}
        yield StackResource(KINESIS, f"{name}/kinesis", f"{table.name}/kinesis", inputs, name)


def _insights(name: str, table: TableTarget) -> Iterator[StackResource]:
    if table.placement is None or not table.placement.has_insights:
        return
    of_table: dict[str, Json] = {"tableName": table.name}
    yield StackResource(INSIGHTS, f"{name}/insights", f"{table.name}/insights", of_table, name)
    for index in table.indexes:
        part = f"index/{index.name}/insights"
        of_index = {**of_table, "indexName": index.name}
        yield StackResource(INSIGHTS, f"{name}/{part}", f"{table.name}/{part}", of_index, name)
