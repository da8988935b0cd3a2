"""Planned patterns as functions that an application calls with its own client."""

from collections.abc import Callable, Mapping
from typing import Any, assert_never

from keywright.access.search import Planned
from keywright.engines.redis.access.calls import Call as Sent
from keywright.engines.redis.access.calls import (
    ClaimEntries,
    CountElements,
    Fetch,
    Increase,
    MemberRank,
    Near,
    Neighbours,
    Permit,
    Pop,
    Probe,
    PutItems,
    Range,
    Remove,
    Search,
    SetFields,
    Transaction,
)
from keywright.engines.redis.declare.options import Structure
from keywright.engines.redis.schema.target import ServerTarget
from keywright.ir.binding import Binding
from keywright.record import replace
from keywright.runtime.items.codec import Codec, PatternFunction
from keywright.runtime.residual_filter import Judge
from keywright.runtime.validate.arguments import Arguments

from ..client_types import RedisClient
from .changes import increased, removed
from .lookups import counted, existing, fetching, listed, names_of, probing, ranked
from .neighbours import around
from .pages import pages
from .residual_filter import residual_filter
from .searches import counted_by, searched
from .takes import claimed, permitted, popped
from .together import together
from .updates import changed
from .writes import put


def prepare(planned: Planned[ServerTarget], codecs: Mapping[str, Codec[Any]]) -> PatternFunction:
    """See `runtime.codec.Call`: the client is a `redis.Redis` that may or may not decode answers."""
    path = planned.access_path
    call: Sent = path.call  # type: ignore[assignment]  # the type of calls in this engine's paths
    if isinstance(call, Transaction):
        return together(call, planned, codecs)
    codec, binding = codecs[planned.binding.name], planned.binding
    match call:
        case Fetch() | Probe() | Range() | Near():
            return _read(call, planned, codec, residual_filter(path.residual, binding.entity.attributes))
        case Search():
            return _search(call, planned, codec)
        case CountElements():
            return counted(call, binding)
        case MemberRank():
            return ranked(call)
        case Neighbours():
            return around(call, codec)
        case Pop():
            return popped(call, codec)
        case ClaimEntries():
            return claimed(call, codec)
        case Permit():
            return permitted(call)
        case _:
            return _write(call, binding, codec)


def _write(
    call: PutItems | SetFields | Increase | Remove, binding: Binding[Structure], codec: Codec[Any]
) -> PatternFunction:
    match call:
        case PutItems():
            return put(call, codec)
        case SetFields():
            return changed(call, binding)
        case Increase():
            return increased(call, binding)
        case Remove():
            return removed(call, binding, codec)
        case _ as never:
            assert_never(never)


def _search(call: Search, planned: Planned[ServerTarget], codec: Codec[Any]) -> PatternFunction:
    """A function that returns a page of an index, its first item, or the number of items."""
    pattern, binding = planned.pattern, planned.binding
    if call.is_count:
        return counted_by(call, binding)
    checked = (*planned.access_path.residual, *call.verified)
    test = residual_filter(checked, binding.entity.attributes) if checked else None
    page = searched(call, pattern, binding, codec.from_item, test)
    if pattern.kind == "read":
        return page
    if pattern.kind == "count":
        return lambda client, arguments: len(page(client, replace(arguments, limit=None, cursor=None)).items)
    return lambda client, arguments: next(iter(page(client, replace(arguments, limit=1, cursor=None)).items), None)


def _read(
    call: Fetch | Probe | Range | Near,
    planned: Planned[ServerTarget],
    codec: Codec[Any],
    test: Callable[[Arguments], Judge] | None,
) -> PatternFunction:
    """A function that returns a page, its first item, or the number of items."""
    pattern = planned.pattern
    if isinstance(call, Fetch) and pattern.kind == "count" and test is None:
        return existing(call)
    if isinstance(call, (Fetch, Probe)):
        lookup = fetching(call, codec) if isinstance(call, Fetch) else probing(call, codec)
        if pattern.kind == "get":
            names = names_of(call)

            def first(client: RedisClient, arguments: Arguments) -> Any:
                keep = test(arguments) if test else None
                items = lookup(client, names(arguments))
                return next((item for item in items if item is not None and (keep is None or keep(item))), None)

            return first
        page = listed(call, pattern, lookup, test)
    else:
        page = pages(call, pattern, planned.binding, codec.from_item, test)
    if pattern.kind == "read":
        return page
    if pattern.kind == "count":
        return lambda client, arguments: len(page(client, replace(arguments, limit=None, cursor=None)).items)
    return lambda client, arguments: next(iter(page(client, replace(arguments, limit=1, cursor=None)).items), None)
