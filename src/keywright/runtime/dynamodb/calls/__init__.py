"""Planned patterns as functions that an application calls with its own client."""

from collections.abc import Mapping
from typing import Any

from keywright.access.path import AccessPath
from keywright.access.search import Planned
from keywright.engines.dynamodb.access.calls import BatchGetItem, GetItem, Query, TransactWrite
from keywright.engines.dynamodb.target import TableTarget
from keywright.errors import UsageError
from keywright.runtime.codec import Call, Codec
from keywright.runtime.given import Given

from .keyed import prepare_batch, prepare_get
from .queries import prepare_query
from .together import transact
from .writing import actions_of, prepare_write


def prepare(planned: Planned[TableTarget], codecs: Mapping[str, Codec[Any]]) -> Call:
    """See `runtime.codec.Call`."""
    assert isinstance(planned.path, AccessPath)
    call, pattern, binding = planned.path.call, planned.pattern, planned.binding
    match call:
        case TransactWrite():
            return _together(planned, codecs)
        case GetItem():
            return prepare_get(pattern, binding, call, codecs[binding.name])
        case BatchGetItem():
            return prepare_batch(pattern, binding, call, codecs[binding.name])
        case Query():
            return prepare_query(pattern, binding, call, codecs[binding.name])
        case _:
            return prepare_write(planned, codecs[binding.name])


def _together(planned: Planned[TableTarget], codecs: Mapping[str, Codec[Any]]) -> Call:
    """The writes of a transaction as one."""
    parts = [actions_of(part, codecs[part.binding.name]) for part in planned.parts]

    def together(client: Any, given: Given) -> None:
        if len(given.parts) != len(parts):
            problem = f"the transaction has {len(parts)} writes, and {len(given.parts)} were given"
            raise UsageError(problem, "give the values of each write, in order")
        actions = zip(parts, given.parts, strict=True)
        transact(client, [action for made, calls in actions for one in calls for action in made(one)])

    return together
