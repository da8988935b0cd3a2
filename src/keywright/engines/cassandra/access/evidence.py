"""Whether the server's own evidence of a call agrees with the path that was planned.

An event is one statement: `statement`, `parameters` (how many values), `level`, `token` (of the partition, where it is
known), `pages`, and `traces`: for each page that the server has traced in time, what it did.
"""

import re
from collections.abc import Iterator

from keywright.access.path import AccessPath
from keywright.access.search import Planned
from keywright.engines.interface import Event
from keywright.ir.json import Json

from ..cql import qualified
from ..target import KeyspaceTarget
from .calls import Select
from .calls_write import Batch, Insert, Write, is_conditional
from .costs import cost
from .layout import layout

_SCANS = ("Executing seq scan", "Computing ranges")
"""What the server says of a read that does not know its partition."""

_READ = re.compile(r"Read (\d+) live rows")
_USED = re.compile(r"Executing read on \S+ using ind(?:ex|exes) (.+)")


def judge(planned: Planned[KeyspaceTarget], events: tuple[Event, ...], returned: int) -> Iterator[str]:
    """See `Engine.judge`; a statement without a trace is judged by its text alone."""
    path = planned.path
    assert isinstance(path, AccessPath)
    yield from _filtering(events)
    match path.call:
        case Select() as call:
            yield from _read(planned, call, events, returned)
        case Batch() as call:
            yield from _written(events, "BATCH", call.level)
            yield from _scanning(events)
        case call:
            yield from _one_write(call, events)
            tokens = {event["token"] for event in events if event.get("token") is not None}
            if not isinstance(call, Insert) and len(tokens) > path.fan_out:
                yield f"{len(tokens)} partitions were written, where the path has {path.fan_out}"


def _filtering(events: tuple[Event, ...]) -> Iterator[str]:
    if any("ALLOW FILTERING" in str(event["statement"]).upper() for event in events):
        yield "a statement allows filtering"


def _read(planned: Planned[KeyspaceTarget], call: Select, events: tuple[Event, ...], returned: int) -> Iterator[str]:
    if returned and not events:
        yield f"{returned} items were returned, and nothing was asked"
    relation = f" FROM {qualified(call.keyspace, call.relation)}"
    for event in events:
        if relation not in f"{event['statement']} ":
            yield f"a statement does not read {call.keyspace}.{call.relation}: {event['statement']}"
        if event["level"] != call.level:
            yield f"a statement was sent at {event['level']}, not at {call.level}"
    yield from _partitions(call, events)
    if call.keys:
        yield from _seq_scanning(events)
    elif not call.matches:
        yield from _scanning(events)
    if call.matches or (len(call.bounds) and _is_indexed(call)):
        yield from _indexed(planned, call, events)
    yield from _rows(planned, call, events, returned)


def _is_indexed(call: Select) -> bool:
    """Whether a range is on an indexed column."""
    first = call.open[0].cell.name if call.open else ""
    return any(bound.cell.name != first for bound in call.bounds)


def _partitions(call: Select, events: tuple[Event, ...]) -> Iterator[str]:
    tokens = {event["token"] for event in events if event.get("token") is not None}
    most = call.fan_out
    if most is None or call.keys:
        return
    if len(tokens) > most:
        yield f"{len(tokens)} partitions were asked, where the path has {most}"
    if call.walk == "merge" and tokens and _is_constant(call) and len(tokens) < _distinct(call):
        yield f"{len(tokens)} of {_distinct(call)} partitions were asked"


def _is_constant(call: Select) -> bool:
    """Whether each call asks the same number of partitions."""
    kinds = {slot.kind for term in call.partition for slot in term.filled.slots}
    return kinds <= {"value", "shards", "constants"}


def _distinct(call: Select) -> int:
    found = 1
    for term in call.partition:
        found *= term.filled.fan_out or 1
    return found


def _scanning(events: tuple[Event, ...]) -> Iterator[str]:
    if any(activity.startswith(_SCANS) for event in events for activity in _activities(event)):
        yield "the server walked over ranges of partitions, where a partition is known"


def _seq_scanning(events: tuple[Event, ...]) -> Iterator[str]:
    if any(activity.startswith(_SCANS[0]) for event in events for activity in _activities(event)):
        yield "the server walked over all rows, where an index is known"


def _indexed(planned: Planned[KeyspaceTarget], call: Select, events: tuple[Event, ...]) -> Iterator[str]:
    path = planned.path
    assert isinstance(path, AccessPath)
    wanted = {path.by.name, *(one.index for one in call.matches)}
    for event in events:
        activities = list(_activities(event))
        used = [found[1] for activity in activities if (found := _USED.match(activity))]
        if activities and not used:
            yield f'no index was used, where "{path.by.name}" is known'
            return
        for names in used:
            others = {name.strip() for name in names.split(",")} - wanted
            if others and len(others) == len(names.split(",")):
                yield f'the index {names} was used, where "{path.by.name}" was planned'
                return


def _rows(planned: Planned[KeyspaceTarget], call: Select, events: tuple[Event, ...], returned: int) -> Iterator[str]:
    """A page reads one row beyond it, a merge one page of each partition; what is counted returns no rows."""
    if call.counted or call.residual:
        return
    read = sum(int(found[1]) for event in events for one in _activities(event) if (found := _READ.match(one)))
    known = layout(planned.target, planned.binding)
    if known and known.statics and (call.matches or call.keys):
        return  # static columns are read as a row of each partition that an index leads to: nobody says how many
    beyond = len(events) * (2 if known and known.statics else 1)
    most = cost(planned).examined.high
    if most is not None and read > most + beyond:
        yield f"{read} rows were read, where the path reads {most:.0f} at the most"
    if call.walk == "chain" and read > returned + beyond:
        yield f"{read} rows were read for {returned} that were returned"


def _one_write(call: object, events: tuple[Event, ...]) -> Iterator[str]:
    assert isinstance(call, Write)
    kind = type(call).__name__.upper().replace("INCREMENT", "UPDATE")
    starts = (kind, "DELETE") if kind == "INSERT" else (kind,)
    if any(not str(event["statement"]).startswith(starts) for event in events):
        yield f"a statement is no {kind}"
    if is_conditional(call) and any(" IF " not in str(event["statement"]) for event in events):
        yield "a statement has no condition, where the path has one"
    for event in events:
        if event["level"] != call.level:
            yield f"a statement was sent at {event['level']}, not at {call.level}"
    yield from _scanning(events)


def _written(events: tuple[Event, ...], kind: str, level: str) -> Iterator[str]:
    if len(events) > 1 or any(event["statement"] != kind for event in events):
        yield "the writes were not sent as one batch"
    if any(event["level"] != level for event in events):
        yield f"the batch was not sent at {level}"


def _activities(event: Event) -> Iterator[str]:
    traces: Json = event.get("traces", [])
    for trace in traces if isinstance(traces, list) else []:
        for activity in trace if isinstance(trace, list) else []:
            yield str(activity)
