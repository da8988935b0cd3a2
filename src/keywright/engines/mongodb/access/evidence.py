"""Whether the server's own evidence of a call agrees with the path that was planned.

Events are those of `drivers/mongodb_evidence.py`: the stages of the plan that the server says it used, the indexes, and
how many entries and documents it examined for a read.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from keywright.access.path import AccessPath
from keywright.access.search import Planned
from keywright.engines.interface import Event

from ..fields import ID
from ..target import DatabaseTarget
from .calls import Delete, Find, Increment, Near, Put, Search, Together, Update
from .view import IndexView, View, view

SCANS = frozenset(("COLLSCAN",))
"""Stages that read a collection from end to end."""

JOIN_SCANS = "$lookup COLLSCAN"
"""The stage by which evidence tells of a join that reads the other collection from end to end."""

SORTS = frozenset(("SORT", "$sort", "SORT_KEY_GENERATOR"))
"""Stages that hold what they sort; merges and the bounded sort of a time series do not."""

SLACK = 1
"""Entries that a scan reads beside what it returns: it stops at the first that is too far, or skips to the next value.
Source: measured on 6.0.5."""

_OTHERS = frozenset(("getMore", "commitTransaction", "abortTransaction"))


def judge(planned: Planned[DatabaseTarget], events: tuple[Event, ...], returned: int) -> Iterator[str]:
    """See `Engine.judge`."""
    assert isinstance(planned.path, AccessPath)
    call: Any = planned.path.call
    if isinstance(call, Together):
        yield from _together(events)
        return
    sent = [event for event in events if event["command"] not in _OTHERS]
    if not sent and (returned or not planned.pattern.one_of):  # of no values, nothing needs to be asked
        yield "the client sent nothing"
    for event in sent:
        yield from _event(planned, planned.path, call, event)
    if isinstance(call, Find) and sent and not any("failed" in event for event in sent):
        yield from _examined(planned, planned.path, call, sent, returned)


def _event(planned: Planned[DatabaseTarget], path: AccessPath, call: Any, event: Event) -> Iterator[str]:
    command, collection = event["command"], event["collection"]
    found = view(planned.target, planned.binding)
    assert found is not None
    if collection != found.collection.physical_name:
        yield f'{command} went to "{collection}", and not to "{found.collection.physical_name}"'
    if "failed" in event:
        if event["failed"] not in ("DuplicateKey", "DocumentValidationFailure"):
            yield f"{command} failed: {event['failed']}"
        return
    if isinstance(call, Put):
        if command not in ("insert", "update"):
            yield f"{command} was sent in place of an insert or a replacement"
        yield from _scanned(event)
        return
    if "unexplained" in event:
        yield f"the server does not explain the {command}: {event['unexplained']}"
        return
    yield from _scanned(event)
    yield from _sorted(path, event)
    yield from _concern(planned, event)
    index = _planned(found, path)
    is_free = isinstance(call, (Update, Increment, Delete)) or (index is not None and index.is_partial)
    yield from _index(path, call, event, is_free=is_free)


def _planned(found: View, path: AccessPath) -> IndexView | None:
    return next((index for index in found.indexes if index.target.name == path.by.name), None)


def _scanned(event: Event) -> Iterator[str]:
    if SCANS & {*_texts(event, "stages")}:
        yield f'{event["command"]} scanned the collection "{event["collection"]}"'
    if JOIN_SCANS in _texts(event, "stages"):
        yield f"{event['command']} scanned the collection that it joins"


def _sorted(path: AccessPath, event: Event) -> Iterator[str]:
    stages = _texts(event, "stages")
    held = next((stage for stage in stages if stage in SORTS and "EOF" not in stages), None)
    if held is not None and path.order != "memory":
        yield f'stage "{held}" sorted in memory, where {path.by} was to keep the order'


def _concern(planned: Planned[DatabaseTarget], event: Event) -> Iterator[str]:
    request = event["request"]
    assert isinstance(request, Mapping)
    if planned.pattern.consistency == "eventual":
        return
    name = "readConcern" if planned.pattern.kind in ("get", "read") else "writeConcern"
    concern: Any = request.get(name)
    said = concern.get("level" if name == "readConcern" else "w") if isinstance(concern, Mapping) else None
    if said != "majority":
        yield f'{event["command"]} was sent with {name} "{said}", and not "majority"'


def _index(path: AccessPath, call: Any, event: Event, *, is_free: bool) -> Iterator[str]:
    """Whether the planned index was used; where it is not hinted, in a write or as a partial one, another may be."""
    stages, used = _texts(event, "stages"), {*_texts(event, "indexes")}
    if isinstance(call, Near) and not any(stage.startswith("GEO_NEAR") for stage in stages):
        yield f"no stage found the nearest: {', '.join(stages)}"
    if isinstance(call, Search) and not any(stage.startswith("TEXT") for stage in stages):
        yield f"no stage searched words: {', '.join(stages)}"
    if path.by.kind == "index":
        if path.by.name not in used and "EOF" not in stages and not (is_free and used):
            yield f'the server used {_listed(used)} in place of index "{path.by.name}"'
        return
    if {"IDHACK", "CLUSTERED_IXSCAN", "EOF", "EXPRESS_IXSCAN"} & {*stages} or f"{ID}_" in used or (is_free and used):
        return
    yield f'the server used {_listed(used)} in place of "{ID}"'


def _listed(used: set[str]) -> str:
    return "index " + " and ".join(f'"{name}"' for name in sorted(used)) if used else "no index"


def _examined(
    planned: Planned[DatabaseTarget], path: AccessPath, call: Find, events: list[Event], returned: int
) -> Iterator[str]:
    """Whether no more was read than is returned, and skipped because an earlier page had it."""
    found = view(planned.target, planned.binding)
    assert found is not None
    if found.collection.series is not None or path.residual:
        return  # buckets hold more than is asked; of what is judged afterwards, nothing says how much there is
    index = _planned(found, path)
    if index is not None and index.is_partial and not all(path.by.name in _texts(one, "indexes") for one in events):
        return  # the server took another
    is_told = len(call.sort) == 1 and not (path.order == "merge" and call.sort[0].is_nullable)
    if call.sort and not is_told and any(_seen(event) for event in events):
        return  # which of two plans a later page gets, the server tries: one reads equals of the first field again
    documents = sum(_number(event, "documents") for event in events)
    skipped = sum(_seen(event) for event in events)
    if path.order == "memory":  # whatever page is wanted, all that the call names are sorted
        skipped += sum(_points(event) for event in events)
    if documents > returned + skipped:
        yield f"{documents} documents were examined for {returned} that are returned, with no condition left to judge"
    keys, points = sum(_number(event, "keys") for event in events), sum(_points(event) for event in events)
    scans = sum(_number(event, "scans") for event in events)
    is_multikey = index is not None and index.is_multikey
    if keys > returned + skipped + 2 * points + scans + SLACK and not is_multikey:
        yield f"{keys} index entries were examined for {returned} documents that are returned"


def _seen(event: Event) -> int:
    """Documents that a page leaves out because an earlier one had them."""
    return sum(_lengths(event["request"], under_nor=False))


def _points(event: Event) -> int:
    """Values that a request lists: the server seeks each of them."""
    request = event["request"]
    assert isinstance(request, Mapping)
    filter: Any = request.get("filter", {})
    return sum(_ins(filter))


def _lengths(value: Any, *, under_nor: bool) -> Iterator[int]:
    if isinstance(value, Mapping):
        for key, inner in value.items():
            if under_nor and key == ID and isinstance(inner, Mapping) and isinstance(inner.get("$in"), list):
                yield len(inner["$in"])
            yield from _lengths(inner, under_nor=under_nor or key == "$nor")
    elif isinstance(value, list):
        for inner in value:
            yield from _lengths(inner, under_nor=under_nor)


def _ins(value: Any) -> Iterator[int]:
    if isinstance(value, Mapping):
        for key, inner in value.items():
            if key == "$in" and isinstance(inner, list):
                yield len(inner)
            elif key != "$nor":
                yield from _ins(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _ins(inner)


def _number(event: Event, name: str) -> int:
    value = event.get(name, 0)
    return value if isinstance(value, int) else 0


def _texts(event: Event, name: str) -> list[str]:
    value = event.get(name, [])
    return [str(one) for one in value] if isinstance(value, list) else []


def _together(events: tuple[Event, ...]) -> Iterator[str]:
    """A transaction ends with one commit, and every write in it has its number."""
    writes = [event for event in events if event["command"] not in _OTHERS]
    ends = [event["command"] for event in events if event["command"] in ("commitTransaction", "abortTransaction")]
    if len(ends) != 1 and not any("failed" in event for event in events):
        yield f"the transaction ended {len(ends)} times"
    for event in writes:
        request = event["request"]
        if isinstance(request, Mapping) and "txnNumber" not in request:
            yield f"{event['command']} was sent outside of the transaction"
        yield from _scanned(event)
