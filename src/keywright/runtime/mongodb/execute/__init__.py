"""Planned patterns as functions that an application calls with its own client."""

from collections.abc import Mapping
from typing import Any

from keywright.access.path import AccessPath
from keywright.access.search import Planned
from keywright.engines.mongodb.access.calls import Aggregated, CountDocuments, Find, Near, Search, Transaction
from keywright.engines.mongodb.access.layout import view
from keywright.engines.mongodb.access.selection import PathTerm
from keywright.engines.mongodb.schema.target import DatabaseTarget
from keywright.runtime.items.codec import Codec, PatternFunction

from . import reads
from .native import Natives
from .paging import Scanning
from .puts import Act
from .writes import alone, together, write


def prepare(planned: Planned[DatabaseTarget], codecs: Mapping[str, Codec[Any]]) -> PatternFunction:
    """See `runtime.codec.Call`; the client is a MongoClient with any settings."""
    call: Any = planned.access_path.call
    if isinstance(call, Transaction):
        return together(call, [_act(part, codecs) for part in planned.parts])
    pattern, codec, natives = planned.pattern, codecs[planned.binding.name], Natives(planned.binding)
    match call:
        case Find():
            return reads.find(call, pattern, codec, natives, codecs, _scanning(planned, planned.access_path, call))
        case Search():
            return reads.search(call, pattern, codec, natives)
        case Near():
            return reads.near(call, pattern, codec, natives)
        case CountDocuments():
            return reads.count(call, natives)
        case Aggregated():
            return reads.aggregate(call, natives)
        case _:
            return alone(_act(planned, codecs))


def _act(planned: Planned[DatabaseTarget], codecs: Mapping[str, Codec[Any]]) -> Act:
    sent: Any = planned.access_path.call
    return write(sent, codecs[planned.binding.name], planned.binding)


def _scanning(planned: Planned[DatabaseTarget], path: AccessPath, call: Find) -> Scanning:
    has_exact_list = any(
        isinstance(condition, PathTerm) and condition.condition.kind == "exactly"
        for condition in call.selection.conditions
    )
    if path.order == "merge" or has_exact_list:  # an empty list has two values in an index
        return "merged"
    layout = view(planned.target, planned.binding)
    assert layout is not None
    is_partial = any(index.by == path.by and index.is_partial for index in layout.indexes)
    return "partial" if is_partial else "one"
