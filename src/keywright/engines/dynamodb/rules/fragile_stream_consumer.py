"""DDB025: a stream consumer cannot recognise duplicate changes, or loses changes that it cannot process."""

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from keywright.declare.names import names
from keywright.declare.stream import Consumer, Stream
from keywright.engines.dynamodb.declare.options import DynamoTable, Item
from keywright.engines.dynamodb.schema.capabilities import STREAM_HOURS
from keywright.engines.dynamodb.schema.keys import table_key
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.program.resource import ProgramResource
from keywright.ir.binding import Physical
from keywright.ir.design import Design

_MAPPING = "aws:lambda/eventSourceMapping:EventSourceMapping"
_TABLE = "aws:dynamodb/table:Table"

_TableDesign: TypeAlias = Design[DynamoTable, Item]


def models(context: RuleContext) -> Iterator[FindingDraft]:
    """Consumers that cannot recognise duplicates, or that lose changes."""
    design: _TableDesign = context.design.of_engine("dynamodb")
    for physical in design.physicals:
        if (stream := physical.spec.stream) is not None:
            for consumer in stream.consumers:
                yield from _fragile_consumer(design, physical, stream, consumer)


def stack(all: Sequence[ProgramResource]) -> Iterator[FindingDraft]:
    """Functions on a table's stream without a destination for failed changes."""
    tables = [resource for resource in all if resource.type == _TABLE]
    for resource in all:
        if (
            resource.type != _MAPPING
            or (resource.value("destinationConfig.onFailure") or {}).get("destinationArn") is not None
        ):
            continue
        sources = resource.needs.get("eventSourceArn", ())
        if any(table.urn in sources for table in tables) or ":dynamodb:" in str(resource.value("eventSourceArn")):
            yield FindingDraft(
                problem=f'"{resource.name}" drops a change that its function cannot handle, after its last try',
                help='say destination_config={"on_failure": {"destination_arn": queue.arn}}',
                subject=resource.urn,
            )


def _fragile_consumer(
    design: _TableDesign, physical: Physical, stream: Stream, consumer: Consumer
) -> Iterator[FindingDraft]:
    fields = names(consumer.idempotency)
    if not fields:
        problem = "names no field by which it knows a change that it has seen, and each comes at least once"
        help = "say idempotency= with fields that tell changes apart"
    elif stream.images == "keys" and (
        lacking := [field for field in fields if field not in _key_fields(design, physical)]
    ):
        problem = f'knows changes by "{lacking[0]}", and the stream carries keys only'
        help = 'say images="new_and_old", or tell changes apart by fields of the key'
    elif consumer.on_failure == "drop":
        problem = 'drops a change that it cannot handle, by on_failure="drop"'
        help = 'say on_failure="queue": what waits in a queue can be looked at, and handled again'
    elif consumer.on_failure == "retry":
        problem = f"retries a change that fails until it expires: its shard waits for up to {STREAM_HOURS.value} hours"
        help = 'set on_failure="queue", and process the queue after the cause is removed'
    else:
        return
    yield FindingDraft(
        problem=f'consumer "{consumer.name}" of table "{physical.name}" {problem}', help=help, subject=physical.name
    )


def _key_fields(design: _TableDesign, physical: Physical) -> set[str]:
    """Fields in the keys of the table's items."""
    return {
        placeholder.path
        for binding in design.bindings_in(physical)
        for part in table_key(binding).parts
        for placeholder in part.template.placeholders
    }
