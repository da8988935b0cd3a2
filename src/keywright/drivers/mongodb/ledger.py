"""Histories in a MongoDB database: a collection of locks and one of rows, both out of the sight of `introspect`."""

import json
from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from keywright.drivers.extras import not_installed
from keywright.engines.interface import StatementFailed
from keywright.engines.ledger import UNHELD, Ledger, Lock
from keywright.ir.json import Json, canonical

try:
    import pymongo
    from pymongo import ReadPreference, WriteConcern
    from pymongo.errors import DuplicateKeyError, OperationFailure
    from pymongo.read_concern import ReadConcern
except ImportError as error:
    raise not_installed("mongodb") from error

LOCKS, HISTORY = "_kw_lock", "_kw_history"
"""Names of the collections; `engines/mongodb/reported.py` knows how they begin."""

PAGE = 500
"""Rows that one answer of the server carries."""

TIMEOUT_SECONDS = 10
"""The longest that one call takes: the client itself would wait for a majority, or an answer, for ever."""

NAMESPACE_EXISTS = 48
"""The server's error code for a collection that is there already."""

_SAFE: Any = {
    "write_concern": WriteConcern("majority"),
    "read_concern": ReadConcern("majority"),
    "read_preference": ReadPreference.PRIMARY,
}
_LAST = "\U0010ffff"
"""Sorts behind whatever keys consist of."""

P = ParamSpec("P")
R = TypeVar("R")


def ledger(asking: Any, home: str, store: str) -> Ledger:
    """The history of a store in the database `home`.

    A row is kept as text, so that it compares as a whole whatever BSON makes of numbers and of the order of fields.
    """
    locks, history = (asking[home].get_collection(name, **_SAFE) for name in (LOCKS, HISTORY))
    return Ledger(
        place=f'database "{home}", store "{store}"',
        prepare=_timed(lambda: _prepare(asking, locks, history, store)),
        lock=_timed(lambda: _lock(locks, store)),
        swap=_timed(lambda seen, new: _swap(locks, store, seen, new)),
        rows=_timed(lambda prefix: _rows(history, store, prefix)),
        put=_timed(lambda key, row, fence: _put(asking, locks, history, store, key, row, fence)),
        replace=_timed(lambda key, before, after: _replace(history, _id(store, key), before, after)),
    )


def _timed(call: Callable[P, R]) -> Callable[P, R]:
    @wraps(call)
    def timed(*args: P.args, **kwargs: P.kwargs) -> R:
        with pymongo.timeout(TIMEOUT_SECONDS):
            return call(*args, **kwargs)

    return timed


def _prepare(asking: Any, locks: Any, history: Any, store: str) -> None:
    """The collections are made first: a transaction that makes one meets others which do so too."""
    hello = asking.admin.command("hello")
    if "setName" not in hello and hello.get("msg") != "isdbgrid":
        raise StatementFailed(
            "a server that stands alone has no transactions, and history needs them: start it with --replSet and"
            " run rs.initiate() once, a replica set of one will do"
        )
    for one in (locks, history):
        try:
            one.database.create_collection(one.name, check_exists=False)
        except OperationFailure as failure:
            if failure.code != NAMESPACE_EXISTS:
                raise
    free = {"owner": UNHELD.owner, "fence": UNHELD.fence, "beat": UNHELD.beat}
    with suppress(DuplicateKeyError):  # of two upserts at once
        locks.update_one({"_id": store}, {"$setOnInsert": free}, upsert=True)


def _lock(locks: Any, store: str) -> Lock:
    found = locks.find_one({"_id": store})
    return Lock(found["owner"], found["fence"], found["beat"]) if found else UNHELD


def _swap(locks: Any, store: str, seen: Lock, new: Lock) -> bool:
    found = {"_id": store, "owner": seen.owner, "fence": seen.fence, "beat": seen.beat}
    change = {"$set": {"owner": new.owner, "fence": new.fence, "beat": new.beat}}
    return locks.find_one_and_update(found, change) is not None


def _id(store: str, key: str) -> str:
    return f"{store}#{key}"


def _rows(history: Any, store: str, prefix: str) -> dict[str, Json]:
    begin = _id(store, "")
    among = {"$gte": _id(store, prefix), "$lt": _id(store, prefix + _LAST)}
    found = history.find({"_id": among}, batch_size=PAGE).sort("_id", 1)
    return {one["_id"].removeprefix(begin): json.loads(one["row"]) for one in found}


def _put(asking: Any, locks: Any, history: Any, store: str, key: str, row: Json, fence: int) -> bool:
    """Write the row in a transaction that writes the lock too.

    Merely reading the lock would let a former holder commit: only two writes of one document exclude each other.
    """

    def write(session: Any) -> bool:
        found = locks.update_one({"_id": store, "fence": fence}, {"$inc": {"writes": 1}}, session=session)
        if found.matched_count == 0:
            session.abort_transaction()
            return False
        change = {"$set": {"row": canonical(row)}}
        history.update_one({"_id": _id(store, key)}, change, upsert=True, session=session)
        return True

    # It begins again after a conflict, and sends a commit again that got no answer, until the time is up.
    with asking.start_session() as session:
        return bool(session.with_transaction(write, **_SAFE))


def _replace(history: Any, id: str, before: Json, after: Json) -> bool:
    if before is not None:
        change = {"$set": {"row": canonical(after)}}
        return history.find_one_and_update({"_id": id, "row": canonical(before)}, change) is not None
    try:
        history.insert_one({"_id": id, "row": canonical(after)})
    except DuplicateKeyError:
        return False
    return True
