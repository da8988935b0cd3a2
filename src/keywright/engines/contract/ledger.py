"""The history of a store in the store itself: rows of JSON and one lock, which a driver provides to `migrations`."""

from collections.abc import Callable
from datetime import datetime

from keywright.ir.json import Json
from keywright.record import Record


class Lock(Record):
    """The state of a store's lock; its row is never deleted."""

    owner: str | None
    """The holder; None for a free lock."""
    fence: int
    """Number of the lease, which only rises: writes of an earlier holder have a lower number and are rejected."""
    beat: int
    """Heartbeat, which rises while the holder is alive; each lease starts at 0."""


UNHELD = Lock(None, 0, 0)
"""The free lock of a store without a history."""


class Ledger(Record, kw_only=True):
    """The history of one store. Every function raises StatementFailed if the server rejects the request, cannot be
    reached, or leaves the outcome unknown.
    """

    place: str
    """Its place in words for messages: `table "dev-kw-history", store "dynamodb"`."""
    prepare: Callable[[], None]
    """Creates the tables for rows and lock, and a free lock; harmless if they exist, and in concurrent processes."""
    lock: Callable[[], Lock]
    """The current lock, by a strongly consistent read; UNHELD before `prepare`."""
    swap: Callable[[Lock, Lock], bool]
    """(expected, new): sets the lock to `new` if it still equals `expected`; returns whether it did."""
    rows: Callable[[str], dict[str, Json]]
    """Every row whose key has this prefix, in the order of keys; empty before `prepare`."""
    row: Callable[[str], Json]
    """The row of a key, in a time independent of the number of rows; None if there is none."""
    put: Callable[[str, Json, int], bool]
    """(key, row, fence): writes a row if the lock still has this fence; returns whether it did."""
    replace: Callable[[str, Json, Json, int], bool]
    """(key, before, after, fence): writes a row if it still equals `before`, None for a missing row, and the lock still
    has this fence; returns whether it did. For rows that the workers of one lock holder share."""
    now: Callable[[], datetime]
    """The server's time in UTC, because the clocks of clients differ."""
