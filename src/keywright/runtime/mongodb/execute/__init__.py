"""Planned patterns as functions that an application calls with its own client."""

from collections.abc import Mapping
from typing import Any

from keywright.access.path import AccessPath
from keywright.access.search import Planned
from keywright.engines.mongodb.access.calls import Aggregated, Count, Find, Near, Search, Together
from keywright.engines.mongodb.access.selection import Term
from keywright.engines.mongodb.access.view import view
from keywright.engines.mongodb.target import DatabaseTarget
from keywright.runtime.codec import Call, Codec

from . import reads
from .native import Natives
from .paging import Scanning
from .puts import Act
from .writes import alone, together, write


def prepare(planned: Planned[DatabaseTarget], codecs: Mapping[str, Codec[Any]]) -> Call:
    """See `runtime.codec.Call`; the client is a MongoClient of any settings."""
    assert isinstance(planned.path, AccessPath)
    call: Any = planned.path.call
    if isinstance(call, Together):
        return together(call, [_act(part, codecs) for part in planned.parts])
    pattern, codec, natives = planned.pattern, codecs[planned.binding.name], Natives(planned.binding)
    match call:
        case Find():
            return reads.find(call, pattern, codec, natives, codecs, _scanning(planned, planned.path, call))
        case Search():
            return reads.search(call, pattern, codec, natives)
        case Near():
            return reads.near(call, pattern, codec, natives)
        case Count():
            return reads.count(call, natives)
        case Aggregated():
            return reads.aggregate(call, natives)
        case _:
            return alone(_act(planned, codecs))


def _act(planned: Planned[DatabaseTarget], codecs: Mapping[str, Codec[Any]]) -> Act:
    assert isinstance(planned.path, AccessPath)
    sent: Any = planned.path.call
    return write(sent, codecs[planned.binding.name], planned.binding)


def _scanning(planned: Planned[DatabaseTarget], path: AccessPath, call: Find) -> Scanning:
    of_lists = any(isinstance(one, Term) and one.asked.how == "exactly" for one in call.selection.conditions)
    if path.order == "merge" or of_lists:  # that a list is empty is two values for the server
        return "merged"
    found = view(planned.target, planned.binding)
    assert found is not None
    is_partial = any(one.by == path.by and one.is_partial for one in found.indexes)
    return "partial" if is_partial else "one"
