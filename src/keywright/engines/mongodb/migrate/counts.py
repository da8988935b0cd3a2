"""Documents that the server counts before a change of a database is made."""

from collections.abc import Iterator
from typing import Any

from keywright.engines.contract.change import AddIndex, AlterIndex, AlterTtl, AlterValidator, Change
from keywright.engines.contract.counting import BlockingCount

from ..schema.codec import describe
from ..schema.target import DatabaseTarget
from .tighten import is_looser, is_surely_looser


def blocking_counts(database: DatabaseTarget, change: Change) -> Iterator[BlockingCount]:
    """See `Engine.blocking_counts`."""
    if not change.is_native or len(change.path) < 5 or change.after is None:
        return
    _, _, part, collection, name = change.path[:5]
    native: Any = describe(database)["native"]
    options, object = native["collections"].get(collection, {}), f"{database.name}.{collection}"
    if isinstance(change, AlterValidator):
        schema = options.get("validator")
        if schema is not None and rejects_stored(change, is_first=True):
            yield BlockingCount("violations", object, schema)
    elif isinstance(change, AlterTtl) and "timeseries" in options:
        field = options["timeseries"]["timeField"]
        yield BlockingCount("expired", object, {"key": [[field, 1]], "expireAfterSeconds": change.after})
    elif isinstance(change, (AddIndex, AlterIndex)) and part == "indexes":
        yield from _of_index(object, native["indexes"].get(collection, {}).get(name) or change.after, change.before)


def _of_index(object: str, index: Any, before: Any) -> Iterator[BlockingCount]:
    previous = before or {}
    if index.get("unique") and not previous.get("unique"):
        yield BlockingCount("duplicates", object, index)
    seconds, previous_seconds = index.get("expireAfterSeconds"), previous.get("expireAfterSeconds")
    if seconds is not None and (previous_seconds is None or seconds < previous_seconds):
        yield BlockingCount("expired", object, index)


def rejects_stored(change: Change, *, is_first: bool = False) -> bool:
    """Whether a change makes the server reject documents that it accepted before.

    is_first: whether a validator that so far only warns counts as a change.
    """
    if not isinstance(change, AlterValidator) or change.after is None:
        return False
    if change.path[-1] == "validationAction":
        return change.after == "error" and (change.before == "warn" or is_first)
    is_step = isinstance(change.after, dict) and "$or" in change.after
    is_wide = (is_looser if is_first else is_surely_looser)(change.before, change.after)
    is_new = change.before is None and not is_first  # a new validator warns first
    return change.path[-1] == "validator" and not is_step and not is_wide and not is_new
