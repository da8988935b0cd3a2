"""Consumers of table streams as event source mappings of Lambda.

Source: https://docs.aws.amazon.com/lambda/latest/dg/services-ddb-params.html, 2026-11-22.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import pulumi
import pulumi_aws as aws

from keywright.errors import did_you_mean

if TYPE_CHECKING:
    from keywright.declare.stream import Consumer
    from keywright.ir.design import Design

BATCH = 100
"""Changes of one function call; Lambda's own default."""

RETRIES = 5
"""Number of retries before a batch is sent to the queue or dropped, so that it does not block later batches."""

FOR_EVER = -1
"""Retries as long as the stream stores the change, which is 24 hours."""


def declared(design: "Design", table: str, consumer: str) -> "Consumer":
    """A consumer of a table by name; raises RunError for an undeclared one."""
    from keywright.engines.dynamodb.declare.options import DynamoTable

    tables = {physical.name: physical.spec for physical in design.physicals if isinstance(physical.spec, DynamoTable)}
    if table not in tables:
        raise pulumi.RunError(f'no table is called "{table}"\n  help: {did_you_mean(table, list(tables))}')
    stream = tables[table].stream
    consumers = {consumer.name: consumer for consumer in stream.consumers} if stream else {}
    if consumer not in consumers:
        raise pulumi.RunError(
            f'the stream of table "{table}" has no consumer "{consumer}"\n  help: '
            f"{did_you_mean(consumer, list(consumers))}"
            if consumers
            else f'table "{table}" has no stream\n  help: declare it: stream=kw.Stream(consumers=[kw.Consumer(...)])'
        )
    return consumers[consumer]


def mapping(
    name: str, consumer: "Consumer", arns: Mapping[str, pulumi.Input[str] | None], *, batch_size: int, retries: int,
    tags: Mapping[str, str], options: pulumi.ResourceOptions,
) -> "aws.lambda_.EventSourceMapping":  # fmt: skip
    """The resource that sends the changes of a stream to the function of a consumer.

    arns: ARNs of the `stream`, the `function`, and the `queue` or topic for changes that the function cannot process.
    A batch that fails is halved, and a function can report the failed changes of a batch.
    Raises RunError if only one of `queue` and the consumer's declaration has a queue.
    """
    _check_queue(consumer, arns["queue"])
    failure_destination: Any = (
        {"on_failure": {"destination_arn": arns["queue"]}} if consumer.on_failure == "queue" else None
    )
    return aws.lambda_.EventSourceMapping(
        name,
        event_source_arn=arns["stream"],
        function_name=arns["function"],
        starting_position="TRIM_HORIZON",
        batch_size=batch_size,
        bisect_batch_on_function_error=True,
        function_response_types=["ReportBatchItemFailures"],
        maximum_retry_attempts=FOR_EVER if consumer.on_failure == "retry" else retries,
        destination_config=failure_destination,
        tags=dict(tags),
        opts=options,
    )


def _check_queue(consumer: "Consumer", queue: pulumi.Input[str] | None) -> None:
    problem = f'consumer "{consumer.name}" declares on_failure="{consumer.on_failure}"'
    if consumer.on_failure == "queue" and queue is None:
        raise pulumi.RunError(f"{problem}, but has no queue\n  help: add queue= with the ARN of a queue or topic")
    if consumer.on_failure != "queue" and queue is not None:
        raise pulumi.RunError(f'{problem}, but has a queue\n  help: remove queue=, or declare on_failure="queue"')
