"""A session whose statements are recorded with what the server traced of them."""

import itertools
import re
import time
from collections.abc import Iterable, Mapping
from typing import Any

from keywright.drivers.extras import not_installed
from keywright.engines.interface import Event
from keywright.ir.json import Json

try:
    from cassandra.metadata import Murmur3Token
except ImportError as error:
    raise not_installed("cassandra") from error

TRACED = 64
"""Statements that are traced between two looks at the evidence; what follows them is recorded without a trace."""

WAIT_SECONDS = 2.0
"""The longest wait for the server to have written its traces, which it does after it has answered."""

KEPT = (
    "Executing single-partition query", "Executing seq scan", "Computing ranges", "Submitting range requests",
    "Executing read on", "Index mean cardinalities", "Read ", "Merged data from", "Scanned ", "Appending to commitlog",
    "Adding to", "Promising ballot", "Index query accessed",
)  # fmt: skip
"""Beginnings of the activities that tell how a statement was carried out."""

LEVELS = {1: "ONE", 4: "QUORUM", 5: "ALL", 6: "LOCAL_QUORUM", 8: "SERIAL", 9: "LOCAL_SERIAL", 10: "LOCAL_ONE"}
"""Names of consistency levels by their numbers in the protocol."""


_QUERIED = re.compile(r"Executing (?:single-partition query on|read on \w+\.)\s*(\w+)")
"""A read of one table, and of the table behind an index, whose name begins with it."""


class Recorded:
    """A session like the one behind it; statements that are carried out through it are traced."""

    def __init__(self, session: Any) -> None:
        self._session = session
        self._sent: list[tuple[dict[str, Json], Any]] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._session, name)

    def execute(self, query: Any, parameters: Any = None, **options: Any) -> Any:
        """As the session's own."""
        return self.execute_async(query, parameters, **options).result()

    def execute_async(self, query: Any, parameters: Any = None, **options: Any) -> Any:
        """As the session's own."""
        options["trace"] = len(self._sent) < TRACED
        future = self._session.execute_async(query, parameters, **options)
        self._sent.append((_told(query, parameters), future))
        return future

    def events(self) -> tuple[Event, ...]:
        """The statements since the last call, each with its trace as far as the server has written it."""
        sent, self._sent = self._sent, []
        traces = [_trace_ids(future) for _, future in sent[:TRACED]]
        found = _activities(self._session, [one for several in traces for one in several])
        events: list[Event] = []
        for told, ids in itertools.zip_longest((told for told, _ in sent), traces, fillvalue=()):
            assert isinstance(told, dict)
            pages: list[Json] = [_own(found[one], str(told["statement"])) for one in ids if one in found]
            events.append({**told, "pages": max(1, len(ids)), "traces": pages} if ids else told)
        return tuple(events)


def _told(query: Any, parameters: Any) -> dict[str, Json]:
    """What a statement says, as JSON; values are counted, and not told."""
    statements = getattr(query, "_statements_and_parameters", None)
    level = LEVELS.get(getattr(query, "consistency_level", None) or 0, "")
    if statements is not None:
        return {"statement": "BATCH", "parameters": len(statements), "level": level}
    prepared = getattr(query, "prepared_statement", None)
    text = prepared.query_string if prepared is not None else getattr(query, "query_string", None) or str(query)
    values = getattr(query, "values", None) if prepared is not None else parameters
    told: dict[str, Json] = {"statement": text, "parameters": len(values or ()), "level": level}
    key = getattr(query, "routing_key", None)
    return told if key is None else {**told, "token": Murmur3Token.hash_fn(key)}


def _trace_ids(future: Any) -> tuple[Any, ...]:
    """One for each page that was fetched."""
    try:
        return tuple(future.get_query_trace_ids())
    except AttributeError:
        return ()


def _activities(session: Any, ids: list[Any]) -> Mapping[Any, list[tuple[str, str]]]:
    """(thread, what it did), by trace; one that the server has not finished in time is left out."""
    if not ids:
        return {}
    _wait(session, ids)
    found: dict[Any, list[tuple[str, str]]] = {}
    finished = _finished(session, ids)
    names = ", ".join("%s" for _ in ids)
    query = f"SELECT session_id, thread, activity FROM system_traces.events WHERE session_id IN ({names})"
    for trace, thread, activity in map(_values, session.execute(query, tuple(ids))):
        if trace in finished:
            found.setdefault(trace, []).append((thread, activity))
    return found


def _own(activities: list[tuple[str, str]], statement: str) -> list[Json]:
    """What the server did with the tables of a statement; it also reads roles and other tables of its own."""
    others: set[str] = set()
    kept: list[Json] = []
    for thread, activity in activities:
        if table := _QUERIED.match(activity):
            is_own = re.search(rf"\b{re.escape(table[1])}\b", statement) is not None or statement == "BATCH"
            (others.discard if is_own else others.add)(thread)
        if thread not in others and activity.startswith(KEPT):
            kept.append(activity)
    return kept


def _values(row: Any) -> tuple[Any, ...]:
    return tuple(row.values()) if isinstance(row, dict) else tuple(row)


def _wait(session: Any, ids: list[Any]) -> None:
    ends, pause = time.monotonic() + WAIT_SECONDS, 0.005
    while len(_finished(session, ids)) < len(set(ids)) and time.monotonic() < ends:
        time.sleep(pause)
        pause = min(pause * 2, 0.1)


def _finished(session: Any, ids: Iterable[Any]) -> frozenset[Any]:
    wanted = tuple(ids)
    names = ", ".join("%s" for _ in wanted)
    query = f"SELECT session_id, duration FROM system_traces.sessions WHERE session_id IN ({names})"
    rows = map(_values, session.execute(query, wanted))
    return frozenset(trace for trace, duration in rows if duration is not None)
