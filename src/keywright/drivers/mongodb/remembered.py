"""Requests that the profiler of a database has recorded, if it is on."""

from datetime import UTC, datetime
from typing import Any

from keywright.drivers.translate_errors import not_installed
from keywright.engines.contract.observer import Remembered

try:
    from pymongo.errors import OperationFailure
except ImportError as error:
    raise not_installed("mongodb") from error

PROFILED = 5000
"""Entries of one collection that are read, the latest first; the profiler keeps one megabyte by default."""

MILLISECONDS = 10_000
"""Time limit of one request, after which the server ends it."""

READ_LEVEL = -1
"""The argument with which `profile` changes nothing, and only reports the level.
Source: https://www.mongodb.com/docs/manual/reference/command/profile/, 2026-11-28."""

_FIELDS = {"_id": 0, "op": 1, "command": 1, "ts": 1, "appName": 1}


def remembered(client: Any, name: str) -> Remembered:
    """The recorded requests to a collection; none without a profiler, or for a user who may not read it."""
    database = client[name.partition(".")[0]]
    try:
        profile = database["system.profile"].find({"ns": name}, _FIELDS, sort=[("$natural", -1)], limit=PROFILED)
        entries = list(profile.max_time_ms(MILLISECONDS))
        level = database.command("profile", READ_LEVEL)["was"] if entries else 0
    except OperationFailure:
        return Remembered()
    if not entries:
        return Remembered()
    first = min(entry["ts"].replace(tzinfo=UTC) for entry in entries)
    return Remembered(entries, {"level": level, "seconds": max(0.0, (datetime.now(UTC) - first).total_seconds())})
