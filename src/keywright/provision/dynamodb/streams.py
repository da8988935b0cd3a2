"""Who follows the streams of tables, as the models declare it: event source mappings of Lambda.

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
"""Changes that a function gets at once; Lambda's own default."""

RETRIES = 5
"""How often a batch is tried again before its changes are set aside or dropped, so that none blocks those behind it."""

FOR_EVER = -1
"""As long as the stream keeps the change, which is 24 hours."""


def declared(design: "Design", table: str, consumer: str) -> "Consumer":
    """A consumer of a table by its name; RunError for one that the models do not declare."""
    from keywright.engines.dynamodb.options import DynamoTable

    tables = {one.name: one.spec for one in design.physicals if isinstance(one.spec, DynamoTable)}
    if table not in tables:
        raise pulumi.RunError(f'no table is called "{table}"\n  help: {did_you_mean(table, list(tables))}')
    stream = tables[table].stream
    known = {one.name: one for one in stream.consumers} if stream else {}
    if consumer not in known:
        raise pulumi.RunError(
            f'the stream of table "{table}" has no consumer "{consumer}"\n  help: {did_you_mean(consumer, list(known))}'
            if known
            else f'table "{table}" has no stream\n  help: declare it: stream=kw.Stream(consumers=[kw.Consumer(...)])'
        )
    return known[consumer]


def mapping(
    name: str, consumer: "Consumer", arns: Mapping[str, pulumi.Input[str] | None], *, batch_size: int, retries: int,
    tags: Mapping[str, str], options: pulumi.ResourceOptions,
) -> "aws.lambda_.EventSourceMapping":  # fmt: skip
    """The resource that hands the changes of a stream to the function of a consumer.

    arns: of the `stream`, of the `function`, and of the `queue` or topic for changes that it cannot handle, by these
    words. A batch that fails is halved, and a function may name the changes of it that have failed.
    RunError where there is a queue and the consumer declares none, or the other way round.
    """
    _check_queue(consumer, arns["queue"])
    aside: Any = {"on_failure": {"destination_arn": arns["queue"]}} if consumer.on_failure == "queue" else None
    return aws.lambda_.EventSourceMapping(
        name,
        event_source_arn=arns["stream"],
        function_name=arns["function"],
        starting_position="TRIM_HORIZON",
        batch_size=batch_size,
        bisect_batch_on_function_error=True,
        function_response_types=["ReportBatchItemFailures"],
        maximum_retry_attempts=FOR_EVER if consumer.on_failure == "retry" else retries,
        destination_config=aside,
        tags=dict(tags),
        opts=options,
    )


def _check_queue(consumer: "Consumer", queue: pulumi.Input[str] | None) -> None:
    says = f'consumer "{consumer.name}" declares on_failure="{consumer.on_failure}"'
    if consumer.on_failure == "queue" and queue is None:
        raise pulumi.RunError(f"{says}, and is given no queue\n  help: add queue= with the ARN of a queue or topic")
    if consumer.on_failure != "queue" and queue is not None:
        raise pulumi.RunError(f'{says}, and is given a queue\n  help: leave out queue=, or declare on_failure="queue"')
