"""DDB025: a consumer of a table's changes cannot tell what it has seen, or drops what it cannot handle."""

from collections.abc import Iterator, Sequence

from keywright.declare.names import names
from keywright.declare.stream import Consumer, Stream
from keywright.engines.dynamodb.keys import table_key
from keywright.engines.dynamodb.options import DynamoTable
from keywright.engines.flaws.context import Flaw, Whole
from keywright.engines.flaws.resource import Resource
from keywright.ir.physical import Physical

_MAPPING = "aws:lambda/eventSourceMapping:EventSourceMapping"
_TABLE = "aws:dynamodb/table:Table"


def models(whole: Whole) -> Iterator[Flaw]:
    """Every such consumer."""
    for physical in whole.design.physicals:
        table = physical.spec
        if isinstance(table, DynamoTable) and table.stream is not None:
            for consumer in table.stream.consumers:
                yield from _fragile(whole, physical, table.stream, consumer)


def stack(all: Sequence[Resource]) -> Iterator[Flaw]:
    """Every function that follows a table's stream, and has no place for what it cannot handle."""
    tables = [one for one in all if one.type == _TABLE]
    for one in all:
        if one.type != _MAPPING or (one.value("destinationConfig.onFailure") or {}).get("destinationArn") is not None:
            continue
        made_of = one.needs.get("eventSourceArn", ())
        if any(table.urn in made_of for table in tables) or ":dynamodb:" in str(one.value("eventSourceArn")):
            yield Flaw(
                problem=f'"{one.name}" drops a change that its function cannot handle, after its last try',
                help='say destination_config={"on_failure": {"destination_arn": queue.arn}}',
                subject=one.urn,
            )


def _fragile(whole: Whole, physical: Physical, stream: Stream, consumer: Consumer) -> Iterator[Flaw]:
    fields = names(consumer.idempotency)
    if not fields:
        problem = "names no field by which it knows a change that it has seen, and each comes at least once"
        help = "say idempotency= with fields that tell changes apart"
    elif stream.images == "keys" and (lacking := [one for one in fields if one not in _in_keys(whole, physical)]):
        problem = f'knows changes by "{lacking[0]}", and the stream carries keys only'
        help = 'say images="new_and_old", or tell changes apart by fields of the key'
    elif consumer.on_failure == "drop":
        problem = 'drops a change that it cannot handle, by on_failure="drop"'
        help = 'say on_failure="queue": what waits in a queue can be looked at, and handled again'
    else:
        return
    yield Flaw(
        problem=f'consumer "{consumer.name}" of table "{physical.name}" {problem}', help=help, subject=physical.name
    )


def _in_keys(whole: Whole, physical: Physical) -> set[str]:
    """Fields that the keys of the table's items are made of."""
    return {
        placeholder.path
        for binding in whole.design.bindings_in(physical)
        for part in table_key(binding).parts
        for placeholder in part.template.placeholders
    }
