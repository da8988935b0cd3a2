"""Where a store keeps its own history: rows of JSON and one lock, as a driver gives them to `history`."""

from collections.abc import Callable
from dataclasses import dataclass

from keywright.ir.json import Json


@dataclass(frozen=True, slots=True)
class Lock:
    """The state of a store's lock; the row that holds it is never deleted."""

    owner: str | None
    """Who holds it; None if nobody does."""
    fence: int
    """Number of the holding, which only rises: what a former holder still sends is known by it, and refused."""
    beat: int
    """Rises while the holder lives; starts at 0 with each holding."""


UNHELD = Lock(None, 0, 0)
"""The lock of a store that has no history yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ledger:
    """The history of one store, in the engine that it describes; every function raises StatementFailed if the server
    refuses or cannot be reached, and an outcome that nobody knows is such a failure too.
    """

    place: str
    """Where it is, in words for messages: `table "dev-kw-history", store "dynamodb"`."""
    prepare: Callable[[], None]
    """Makes what rows and lock are kept in, and the lock, held by nobody; harmless where they are, and to racers."""
    lock: Callable[[], Lock]
    """The lock as it is now, read from where writes are decided; UNHELD where nothing was prepared."""
    swap: Callable[[Lock, Lock], bool]
    """(seen, new): make the lock `new` if it still is `seen`; whether it did."""
    rows: Callable[[str], dict[str, Json]]
    """Every row whose key begins so, by key in order; nothing where nothing was prepared."""
    put: Callable[[str, Json, int], bool]
    """(key, row, fence): write a row if the lock's fence still is this one; whether it did."""
    replace: Callable[[str, Json, Json], bool]
    """(key, before, after): write a row if it still is `before`, None for one that is not there; whether it did. For
    rows that many workers share without the lock."""
