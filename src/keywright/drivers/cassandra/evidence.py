"""A session that records its statements with the server's traces."""

import itertools
import re
import time
from collections.abc import Iterable, Mapping
from typing import Any

from keywright.drivers.translate_errors import not_installed
from keywright.engines.interface import ClientEvent
from keywright.ir.json import Json

try:
    from cassandra.metadata import Murmur3Token
except ImportError as error:
    raise not_installed("cassandra") from error

TRACED = 64
"""Statements that are traced between two calls of `events`. Further statements are recorded without a trace."""

WAIT_SECONDS = 2.0
"""Longest wait for the traces, which the server writes after its answer."""

KEPT = (
    "Executing single-partition query", "Executing seq scan", "Computing ranges", "Submitting range requests",
    "Executing read on", "Index mean cardinalities", "Read ", "Merged data from", "Scanned ", "Appending to commitlog",
    "Adding to", "Promising ballot", "Index query accessed",
)  # fmt: skip
"""Beginnings of the activities that show how the server executed a statement."""

LEVELS = {1: "ONE", 4: "QUORUM", 5: "ALL", 6: "LOCAL_QUORUM", 8: "SERIAL", 9: "LOCAL_SERIAL", 10: "LOCAL_ONE"}
"""Names of consistency levels by their numbers in the protocol."""


_QUERIED = re.compile(r"Executing (?:single-partition query on|read on \w+\.)\s*(\w+)")
"""A read of a table, or of an index, whose name begins with that of its table."""


class RecordingSession:
    """A wrapper of a session that traces the statements sent through it."""

    def __init__(self, session: Any) -> None:
        self._session = session
        self._sent: list[tuple[dict[str, Json], Any]] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._session, name)

    def execute(self, query: Any, parameters: Any = None, **options: Any) -> Any:
        """See `Session` of the client."""
        return self.execute_async(query, parameters, **options).result()

    def execute_async(self, query: Any, parameters: Any = None, **options: Any) -> Any:
        """See `Session` of the client."""
        options["trace"] = len(self._sent) < TRACED
        future = self._session.execute_async(query, parameters, **options)
        self._sent.append((_event(query, parameters), future))
        return future

    def events(self) -> tuple[ClientEvent, ...]:
        """The statements since the last call, each with the traces that the server has written."""
        sent, self._sent = self._sent, []
        traces = [_trace_ids(future) for _, future in sent[:TRACED]]
        activities = _activities(self._session, [trace for traces_of_call in traces for trace in traces_of_call])
        events: list[ClientEvent] = []
        for event, ids in itertools.zip_longest((event for event, _ in sent), traces, fillvalue=()):
            assert isinstance(event, dict)
            pages: list[Json] = [
                _own_activities(activities[id], str(event["statement"])) for id in ids if id in activities
            ]
            events.append({**event, "pages": max(1, len(ids)), "traces": pages} if ids else event)
        return tuple(events)


def _event(query: Any, parameters: Any) -> dict[str, Json]:
    """A statement as JSON, with the number of its values but not the values."""
    statements = getattr(query, "_statements_and_parameters", None)
    level = LEVELS.get(getattr(query, "consistency_level", None) or 0, "")
    if statements is not None:
        return {"statement": "BATCH", "parameters": len(statements), "level": level}
    prepared = getattr(query, "prepared_statement", None)
    text = prepared.query_string if prepared is not None else getattr(query, "query_string", None) or str(query)
    values = getattr(query, "values", None) if prepared is not None else parameters
    event: dict[str, Json] = {"statement": text, "parameters": len(values or ()), "level": level}
    key = getattr(query, "routing_key", None)
    return event if key is None else {**event, "token": Murmur3Token.hash_fn(key)}


def _trace_ids(future: Any) -> tuple[Any, ...]:
    """Trace ids of a call, one for each page."""
    try:
        return tuple(future.get_query_trace_ids())
    except AttributeError:
        return ()


def _activities(session: Any, ids: list[Any]) -> Mapping[Any, list[tuple[str, str]]]:
    """(thread, activity) by trace, without traces that the server has not finished in time."""
    if not ids:
        return {}
    _wait(session, ids)
    by_trace: dict[Any, list[tuple[str, str]]] = {}
    finished = _finished(session, ids)
    names = ", ".join("%s" for _ in ids)
    query = f"SELECT session_id, thread, activity FROM system_traces.events WHERE session_id IN ({names})"
    for trace, thread, activity in map(_values, session.execute(query, tuple(ids))):
        if trace in finished:
            by_trace.setdefault(trace, []).append((thread, activity))
    return by_trace


def _own_activities(activities: list[tuple[str, str]], statement: str) -> list[Json]:
    """Activities on the tables of a statement. The server also reads roles and other tables of its own."""
    other_threads: set[str] = set()
    own_activities: list[Json] = []
    for thread, activity in activities:
        if table := _QUERIED.match(activity):
            is_queried = re.search(rf"\b{re.escape(table[1])}\b", statement) is not None or statement == "BATCH"
            (other_threads.discard if is_queried else other_threads.add)(thread)
        if thread not in other_threads and activity.startswith(KEPT):
            own_activities.append(activity)
    return own_activities


def _values(row: Any) -> tuple[Any, ...]:
    return tuple(row.values()) if isinstance(row, dict) else tuple(row)


def _wait(session: Any, ids: list[Any]) -> None:
    deadline, pause = time.monotonic() + WAIT_SECONDS, 0.005
    while len(_finished(session, ids)) < len(set(ids)) and time.monotonic() < deadline:
        time.sleep(pause)
        pause = min(pause * 2, 0.1)


def _finished(session: Any, ids: Iterable[Any]) -> frozenset[Any]:
    traces = tuple(ids)
    names = ", ".join("%s" for _ in traces)
    query = f"SELECT session_id, duration FROM system_traces.sessions WHERE session_id IN ({names})"
    rows = map(_values, session.execute(query, traces))
    return frozenset(trace for trace, duration in rows if duration is not None)
