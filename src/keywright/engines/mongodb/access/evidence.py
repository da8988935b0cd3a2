"""Compares the server's evidence of a call with the planned path.

Events are those of `drivers/mongodb/evidence.py`: the stages and indexes of the plan that the server used, and the
numbers of entries and documents that it examined for a read.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from keywright.access.path import AccessPath
from keywright.access.search import Planned
from keywright.engines.interface import ClientEvent
from keywright.ir.text import counted

from ..schema.fields import ID
from ..schema.target import DatabaseTarget
from .calls import DeleteDocuments, Find, IncrementDocument, Near, PutDocuments, Search, Transaction, UpdateDocument
from .layout import IndexView, Layout, view

SCANS = frozenset(("COLLSCAN",))
"""Stages that read a collection from end to end."""

JOIN_SCANS = "$lookup COLLSCAN"
"""The stage in the evidence for a join that reads the other collection from end to end."""

SORTS = frozenset(("SORT", "$sort", "SORT_KEY_GENERATOR"))
"""Stages that sort in memory; merges and the bounded sort of a time series do not."""

SLACK = 1
"""Entries that a scan reads beyond its result: the first one past the bound, or one to skip to the next value.
Source: measured on 6.0.5."""

_OTHERS = frozenset(("getMore", "commitTransaction", "abortTransaction"))


def verify(planned: Planned[DatabaseTarget], events: tuple[ClientEvent, ...], returned: int) -> Iterator[str]:
    """See `Engine.verify_evidence`."""
    call: Any = planned.access_path.call
    if isinstance(call, Transaction):
        yield from _together(events)
        return
    sent = [event for event in events if event["command"] not in _OTHERS]
    if not sent and (returned or not planned.pattern.one_of):  # an empty list of values needs no request
        yield "the client sent nothing"
    for event in sent:
        yield from _event(planned, planned.access_path, call, event)
    if isinstance(call, Find) and sent and not any("failed" in event for event in sent):
        yield from _examined(planned, planned.access_path, call, sent, returned)


def _event(planned: Planned[DatabaseTarget], path: AccessPath, call: Any, event: ClientEvent) -> Iterator[str]:
    command, collection = event["command"], event["collection"]
    layout = view(planned.target, planned.binding)
    assert layout is not None
    if collection != layout.collection.physical_name:
        yield f'{command} was sent to "{collection}", not to "{layout.collection.physical_name}"'
    if "failed" in event:
        if event["failed"] not in ("DuplicateKey", "DocumentValidationFailure"):
            yield f"{command} failed: {event['failed']}"
        return
    if isinstance(call, PutDocuments):
        if command not in ("insert", "update"):
            yield f"{command} was sent instead of an insert or a replacement"
        yield from _scanned(event)
        return
    if "unexplained" in event:
        yield f"the server does not explain the {command}: {event['unexplained']}"
        return
    if not (layout.collection.clustered is not None and _is_open(event)):
        yield from _scanned(event)
    yield from _sorted(path, event)
    yield from _concern(planned, event)
    index = _planned(layout, path)
    is_free = isinstance(call, (UpdateDocument, IncrementDocument, DeleteDocuments)) or (
        index is not None and index.is_partial
    )
    yield from _index(path, call, event, is_free=is_free)


def _planned(layout: Layout, path: AccessPath) -> IndexView | None:
    return next((index for index in layout.indexes if index.target.name == path.by.name), None)


def _is_open(event: ClientEvent) -> bool:
    """Whether a caller left both ends of a range of `_id` open, and so asked for the whole collection."""
    request: Any = event["request"]
    test = (request.get("filter") or request.get("query") or {}).get(ID)
    return isinstance(test, Mapping) and "$exists" in test


def _scanned(event: ClientEvent) -> Iterator[str]:
    if SCANS & {*_texts(event, "stages")}:
        yield f'{event["command"]} scanned the collection "{event["collection"]}"'
    if JOIN_SCANS in _texts(event, "stages"):
        yield f"{event['command']} scanned the collection that it joins"


def _sorted(path: AccessPath, event: ClientEvent) -> Iterator[str]:
    stages = _texts(event, "stages")
    sort_stage = next((stage for stage in stages if stage in SORTS and "EOF" not in stages), None)
    if sort_stage is not None and path.order != "memory":
        yield f'stage "{sort_stage}" sorted in memory, although {path.by} has the order'


def _concern(planned: Planned[DatabaseTarget], event: ClientEvent) -> Iterator[str]:
    request = event["request"]
    assert isinstance(request, Mapping)
    if planned.pattern.consistency == "eventual":
        return
    name = "readConcern" if planned.pattern.kind in ("get", "read") else "writeConcern"
    concern: Any = request.get(name)
    level = concern.get("level" if name == "readConcern" else "w") if isinstance(concern, Mapping) else None
    if level != "majority":
        yield f'{event["command"]} was sent with {name} "{level}" instead of "majority"'


def _index(path: AccessPath, call: Any, event: ClientEvent, *, is_free: bool) -> Iterator[str]:
    """Report the use of another index; without a hint (writes, partial indexes), the server may choose another one."""
    stages, used = _texts(event, "stages"), {*_texts(event, "indexes")}
    if isinstance(call, Near) and not any(stage.startswith("GEO_NEAR") for stage in stages):
        yield f"no stage found the nearest: {', '.join(stages)}"
    if isinstance(call, Search) and not any(stage.startswith("TEXT") for stage in stages):
        yield f"no stage searched words: {', '.join(stages)}"
    if path.by.kind == "index":
        if path.by.name not in used and "EOF" not in stages and not (is_free and used):
            yield f'the server used {_listed(used)} instead of index "{path.by.name}"'
        return
    if {"IDHACK", "CLUSTERED_IXSCAN", "EOF", "EXPRESS_IXSCAN"} & {*stages} or f"{ID}_" in used or (is_free and used):
        return
    yield f'the server used {_listed(used)} instead of "{ID}"'


def _listed(used: set[str]) -> str:
    return "index " + " and ".join(f'"{name}"' for name in sorted(used)) if used else "no index"


def _examined(
    planned: Planned[DatabaseTarget], path: AccessPath, call: Find, events: list[ClientEvent], returned: int
) -> Iterator[str]:
    """Report entries and documents that are neither returned nor skipped because an earlier page contained them."""
    layout = view(planned.target, planned.binding)
    assert layout is not None
    if layout.collection.series is not None or path.residual:
        return  # buckets contain other measurements; the rejects of a residual filter are unknown
    index = _planned(layout, path)
    if index is not None and index.is_partial and not all(path.by.name in _texts(event, "indexes") for event in events):
        return  # the server chose another index
    has_total_order = len(call.sort) == 1 and not (path.order == "merge" and call.sort[0].is_nullable)
    if call.sort and not has_total_order and any(_excluded(event) for event in events):
        return  # the server may choose a plan for a later page that reads equal values of the first field again
    documents = sum(_number(event, "documents") for event in events)
    if layout.collection.clustered is not None and path.by.kind != "index":
        documents -= len(events)  # a scan in the order of `_id` examines the first document after its end too
    skipped = sum(_excluded(event) for event in events)
    if path.order == "memory":  # every page sorts all documents of the listed values
        skipped += sum(_points(event) for event in events)
    if documents > returned + skipped:
        examined = counted(documents, "document was", "documents were")
        yield f"{examined} examined for {returned} that are returned, without a residual filter"
    keys, points = sum(_number(event, "keys") for event in events), sum(_points(event) for event in events)
    scans = sum(_number(event, "scans") for event in events)
    is_multikey = index is not None and index.is_multikey
    if keys > returned + skipped + 2 * points + scans + SLACK and not is_multikey:
        examined = counted(keys, "index entry was", "index entries were")
        yield f"{examined} examined for {returned} that are returned"


def _excluded(event: ClientEvent) -> int:
    """Documents that a page excludes because an earlier page contained them."""
    return sum(_lengths(event["request"], under_nor=False))


def _points(event: ClientEvent) -> int:
    """Values that a request lists; the server seeks each of them."""
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


def _number(event: ClientEvent, name: str) -> int:
    value = event.get(name, 0)
    return value if isinstance(value, int) else 0


def _texts(event: ClientEvent, name: str) -> list[str]:
    value = event.get(name, [])
    return [str(text) for text in value] if isinstance(value, list) else []


def _together(events: tuple[ClientEvent, ...]) -> Iterator[str]:
    """A transaction ends with one commit, and every write in it has its transaction number."""
    writes = [event for event in events if event["command"] not in _OTHERS]
    ends = [event["command"] for event in events if event["command"] in ("commitTransaction", "abortTransaction")]
    if len(ends) != 1 and not any("failed" in event for event in events):
        yield f"the transaction ended {counted(len(ends), 'time')}"
    for event in writes:
        request = event["request"]
        if isinstance(request, Mapping) and "txnNumber" not in request:
            yield f"{event['command']} was sent outside of the transaction"
        yield from _scanned(event)
