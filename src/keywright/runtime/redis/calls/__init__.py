"""Planned patterns as functions that an application calls with its own client."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, assert_never

from keywright.access.path import AccessPath
from keywright.access.search import Planned
from keywright.engines.redis.access.calls import (
    Call as Sent,
)
from keywright.engines.redis.access.calls import (
    Change,
    Claim,
    Fetch,
    Increase,
    Near,
    Permit,
    Pop,
    Probe,
    Put,
    Range,
    Rank,
    Remove,
    Size,
    Together,
)
from keywright.engines.redis.target import ServerTarget
from keywright.ir.binding import Binding
from keywright.runtime.codec import Call, Codec
from keywright.runtime.given import Given
from keywright.runtime.judge import Judge

from .changes import increased, removed
from .judging import judge
from .lookups import counted, existing, fetching, listed, names_of, probing, ranked
from .pages import pages
from .takes import claimed, permitted, popped
from .together import together
from .updates import changed
from .writes import put


def prepare(planned: Planned[ServerTarget], codecs: Mapping[str, Codec[Any]]) -> Call:
    """See `runtime.codec.Call`: the client is a `redis.Redis`, whether it decodes answers or not."""
    path = planned.path
    assert isinstance(path, AccessPath)
    sent: Sent = path.call  # type: ignore[assignment]  # what this engine's paths hold
    if isinstance(sent, Together):
        return together(sent, planned, codecs)
    codec, binding = codecs[planned.binding.name], planned.binding
    match sent:
        case Fetch() | Probe() | Range() | Near():
            return _read(sent, planned, codec, judge(path.residual, binding.entity.attributes))
        case Size():
            return counted(sent, binding)
        case Rank():
            return ranked(sent)
        case Pop():
            return popped(sent, codec)
        case Claim():
            return claimed(sent, codec)
        case Permit():
            return permitted(sent)
        case _:
            return _write(sent, binding, codec)


def _write(sent: Put | Change | Increase | Remove, binding: Binding, codec: Codec[Any]) -> Call:
    match sent:
        case Put():
            return put(sent, codec)
        case Change():
            return changed(sent, binding)
        case Increase():
            return increased(sent, binding)
        case Remove():
            return removed(sent, binding, codec)
        case _ as never:
            assert_never(never)


def _read(
    sent: Fetch | Probe | Range | Near,
    planned: Planned[ServerTarget],
    codec: Codec[Any],
    test: Callable[[Given], Judge] | None,
) -> Call:
    """A page, the first of it, or how many there are."""
    pattern = planned.pattern
    if isinstance(sent, Fetch) and pattern.kind == "count" and test is None:
        return existing(sent)
    if isinstance(sent, (Fetch, Probe)):
        lookup = fetching(sent, codec) if isinstance(sent, Fetch) else probing(sent, codec)
        if pattern.kind == "get":
            names = names_of(sent)

            def first(client: Any, given: Given) -> Any:
                keep = test(given) if test else None
                found = lookup(client, names(given))
                return next((one for one in found if one is not None and (keep is None or keep(one))), None)

            return first
        page = listed(sent, pattern, lookup, test)
    else:
        page = pages(sent, pattern, planned.binding, codec.from_item, test)
    if pattern.kind == "read":
        return page
    if pattern.kind == "count":
        return lambda client, given: len(page(client, replace(given, limit=None, cursor=None)).items)
    return lambda client, given: next(iter(page(client, replace(given, limit=1, cursor=None)).items), None)
