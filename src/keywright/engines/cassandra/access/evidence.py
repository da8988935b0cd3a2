"""Compares the server's evidence of a call with the planned path.

An event is a statement: `statement`, `parameters` (number of values), `level`, `token` (of the partition, if known),
`pages`, and `traces`: the server's activities for each page that it has traced in time.
"""

import re
from collections.abc import Iterator

from keywright.access.search import Planned
from keywright.engines.interface import ClientEvent
from keywright.ir.json import Json
from keywright.ir.text import counted

from ..schema.cql import qualified
from ..schema.target import KeyspaceTarget
from .calls import Select
from .calls_write import Batch, DeleteRows, Insert, Write, is_conditional, lifetime_of
from .cost import cost
from .layout import layout

_SCAN_ACTIVITIES = ("Executing seq scan", "Computing ranges")
"""Beginnings of the server's activities in a read without a known partition."""

_ROWS_READ = re.compile(r"Read (\d+) live rows")
_INDEX_USED = re.compile(r"Executing read on \S+ using ind(?:ex|exes) (.+)")


def verify(planned: Planned[KeyspaceTarget], events: tuple[ClientEvent, ...], returned: int) -> Iterator[str]:
    """See `Engine.verify_evidence`. A statement without a trace is compared by its text alone."""
    path = planned.access_path
    yield from _filtering_problems(events)
    match path.call:
        case Select() as call:
            yield from _read_problems(planned, call, events, returned)
        case Batch() as call:
            yield from _batch_problems(events, "BATCH", call.level)
            yield from _range_scan_problems(events)
        case call:
            yield from _write_problems(call, events)
            tokens = {event["token"] for event in events if event.get("token") is not None}
            if not isinstance(call, Insert) and len(tokens) > path.fan_out:
                written = counted(len(tokens), "partition was", "partitions were")
                yield f"{written} written, but the path has {path.fan_out}"


def _filtering_problems(events: tuple[ClientEvent, ...]) -> Iterator[str]:
    if any("ALLOW FILTERING" in str(event["statement"]).upper() for event in events):
        yield "a statement allows filtering"


def _read_problems(
    planned: Planned[KeyspaceTarget], call: Select, events: tuple[ClientEvent, ...], returned: int
) -> Iterator[str]:
    if returned and not events:
        yield f"{counted(returned, 'item was', 'items were')} returned, but nothing was requested"
    relation = f" FROM {qualified(call.keyspace, call.relation)}"
    for event in events:
        if relation not in f"{event['statement']} ":
            yield f"a statement does not read {call.keyspace}.{call.relation}: {event['statement']}"
        if event["level"] != call.level:
            yield f"a statement was sent at {event['level']}, not at {call.level}"
    yield from _partition_problems(call, events)
    if call.keys:
        yield from _sequential_scan_problems(events)
    elif not call.matches and not call.nearest:
        yield from _range_scan_problems(events)
    if call.matches or call.nearest or (len(call.bounds) and _is_indexed(call)):
        yield from _index_problems(planned, call, events)
    yield from _row_problems(planned, call, events, returned)


def _is_indexed(call: Select) -> bool:
    """Whether a range is on an indexed column."""
    first = call.open[0].cell.name if call.open else ""
    return any(bound.cell.name != first for bound in call.bounds)


def _partition_problems(call: Select, events: tuple[ClientEvent, ...]) -> Iterator[str]:
    tokens = {event["token"] for event in events if event.get("token") is not None}
    planned_most = call.fan_out
    if planned_most is None or call.keys:
        return
    if len(tokens) > planned_most:
        yield f"{counted(len(tokens), 'partition was', 'partitions were')} read, but the path has {planned_most}"
    if call.walk == "merge" and tokens and _is_constant(call) and len(tokens) < _distinct(call):
        yield f"{len(tokens)} of {counted(_distinct(call), 'partition was', 'partitions were')} read"


def _is_constant(call: Select) -> bool:
    """Whether every call reads the same number of partitions."""
    kinds = {slot.kind for term in call.partition for slot in term.filled.slots}
    return kinds <= {"value", "shards", "constants"}


def _distinct(call: Select) -> int:
    count = 1
    for term in call.partition:
        count *= term.filled.fan_out or 1
    return count


def _range_scan_problems(events: tuple[ClientEvent, ...]) -> Iterator[str]:
    if any(activity.startswith(_SCAN_ACTIVITIES) for event in events for activity in _activities(event)):
        yield "the server scanned ranges of partitions, although the partition is known"


def _sequential_scan_problems(events: tuple[ClientEvent, ...]) -> Iterator[str]:
    if any(activity.startswith(_SCAN_ACTIVITIES[0]) for event in events for activity in _activities(event)):
        yield "the server scanned all rows, although an index serves the pattern"


def _index_problems(planned: Planned[KeyspaceTarget], call: Select, events: tuple[ClientEvent, ...]) -> Iterator[str]:
    path = planned.access_path
    planned_names = {path.by.name, *(condition.index for condition in call.matches)}
    for event in events:
        activities = list(_activities(event))
        used = [match[1] for activity in activities if (match := _INDEX_USED.match(activity))]
        if activities and not used:
            yield f'no index was used, instead of "{path.by.name}"'
            return
        for names in used:
            others = {name.strip() for name in names.split(",")} - planned_names
            if others and len(others) == len(names.split(",")):
                yield f'the index {names} was used, but "{path.by.name}" was planned'
                return


def _row_problems(
    planned: Planned[KeyspaceTarget], call: Select, events: tuple[ClientEvent, ...], returned: int
) -> Iterator[str]:
    """Compares the number of rows read: a page reads one row more, a merge a page of each partition."""
    if call.counted or call.residual:
        return
    read = sum(
        int(match[1]) for event in events for activity in _activities(event) if (match := _ROWS_READ.match(activity))
    )
    entity_layout = layout(planned.target, planned.binding)
    if entity_layout and entity_layout.statics and (call.matches or call.keys or call.nearest):
        return  # static columns count as a row of each partition that an index finds, and that number is unknown
    extra = len(events) * (2 if entity_layout and entity_layout.statics else 1)
    most = cost(planned).examined.high
    if most is not None and read > most + extra:
        yield f"{counted(read, 'row was', 'rows were')} read, but the path reads at most {most:.0f}"
    if call.walk == "chain" and read > returned + extra:
        yield f"{counted(read, 'row was', 'rows were')} read for {returned} that were returned"


def _write_problems(call: object, events: tuple[ClientEvent, ...]) -> Iterator[str]:
    assert isinstance(call, Write)
    kind = "INSERT" if isinstance(call, Insert) else "DELETE" if isinstance(call, DeleteRows) else "UPDATE"
    starts = (kind, "DELETE") if kind == "INSERT" else (kind,)
    if any(not str(event["statement"]).startswith(starts) for event in events):
        yield f"a statement is not {kind}"
    if is_conditional(call) and any(" IF " not in str(event["statement"]) for event in events):
        yield "a statement has no condition, but the path has one"
    if lifetime_of(call) is not None and any("USING TTL " not in str(event["statement"]) for event in events):
        yield "a statement has no time to live, but the path has one"
    for event in events:
        if event["level"] != call.level:
            yield f"a statement was sent at {event['level']}, not at {call.level}"
    yield from _range_scan_problems(events)


def _batch_problems(events: tuple[ClientEvent, ...], kind: str, level: str) -> Iterator[str]:
    if len(events) > 1 or any(event["statement"] != kind for event in events):
        yield "the writes were not sent as one batch"
    if any(event["level"] != level for event in events):
        yield f"the batch was not sent at {level}"


def _activities(event: ClientEvent) -> Iterator[str]:
    traces: Json = event.get("traces", [])
    for trace in traces if isinstance(traces, list) else []:
        for activity in trace if isinstance(trace, list) else []:
            yield str(activity)
