"""Planned patterns as functions that an application calls with its own client."""

from collections.abc import Mapping
from typing import Any

from keywright.access.search import Planned
from keywright.engines.dynamodb.access.calls import (
    BatchGetItem,
    GetItem,
    QueryItems,
    QueryTogether,
    ScanItems,
    TransactGet,
    TransactWrite,
)
from keywright.engines.dynamodb.schema.target import TableTarget
from keywright.errors import UsageError
from keywright.ir.text import counted
from keywright.record import replace
from keywright.runtime.items.codec import Codec, PatternFunction
from keywright.runtime.validate.arguments import Arguments

from ..client_types import DynamoClient
from .keyed import prepare_batch, prepare_get
from .queries import prepare_query
from .reads_together import prepare_gets, prepare_together
from .scans import prepare_scan
from .sizes import check_item, keyed_of
from .together import transact
from .writing import actions_of, prepare_write


def prepare(planned: Planned[TableTarget], codecs: Mapping[str, Codec[Any]]) -> PatternFunction:
    """See `runtime.codec.Call`."""
    call, pattern, binding = planned.access_path.call, planned.pattern, planned.binding
    match call:
        case TransactWrite():
            return _together(planned, codecs)
        case QueryTogether():
            return prepare_together(planned, call, codecs)
        case TransactGet():
            return prepare_gets(planned, call, codecs)
        case GetItem():
            return prepare_get(pattern, binding, call, codecs[binding.name])
        case BatchGetItem():
            return prepare_batch(pattern, binding, call, codecs[binding.name])
        case QueryItems():
            return prepare_query(pattern, binding, call, _entry_codec(planned, call, codecs[binding.name]))
        case ScanItems():
            return prepare_scan(pattern, binding, call, _entry_codec(planned, call.query, codecs[binding.name]))
        case _:
            return prepare_write(planned, _sized(planned, codecs[binding.name]))


def _entry_codec(planned: Planned[TableTarget], query: QueryItems, codec: Codec[Any]) -> Codec[Any]:
    """Codec for the entries of an index; only indexes of all attributes contain the schema version."""
    indexes = (*planned.target.indexes, *planned.target.local_indexes)
    is_copy = any(index.name == query.index and index.projection != "ALL" for index in indexes) and not query.fetches
    return replace(codec, from_item=codec.from_copy) if is_copy else codec


def _sized(planned: Planned[TableTarget], codec: Codec[Any]) -> Codec[Any]:
    """Codec that raises if an item exceeds the service's limits."""
    key_bytes, to_items = keyed_of(planned.target), codec.to_items

    def items(instance: Any) -> list[Any]:
        stored_items = to_items(instance)
        for item in stored_items:
            check_item(item, key_bytes)
        return stored_items

    return replace(codec, to_items=items)


def _together(planned: Planned[TableTarget], codecs: Mapping[str, Codec[Any]]) -> PatternFunction:
    """Writes of a transaction as one call."""
    parts = [actions_of(part, _sized(part, codecs[part.binding.name])) for part in planned.parts]

    def together(client: DynamoClient, arguments: Arguments) -> None:
        if len(arguments.parts) != len(parts):
            problem = (
                f"the transaction has {counted(len(parts), 'write')}, and "
                f"{counted(len(arguments.parts), 'was passed', 'were passed')}"
            )
            raise UsageError(problem, "pass the values of each write, in order")
        actions = zip(parts, arguments.parts, strict=True)
        transact(client, [action for part_actions, calls in actions for call in calls for action in part_actions(call)])

    return together
