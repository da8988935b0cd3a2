"""Histories in a MongoDB database: a collection of locks and a collection of rows; `introspect` hides both."""

import json
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from keywright.drivers.translate_errors import not_installed
from keywright.engines.contract.ledger import UNHELD, Ledger, Lock
from keywright.engines.interface import StatementFailed
from keywright.ir.json import Json, canonical

from .lock_session import LockSession

try:
    import pymongo
    from pymongo import ReadPreference, WriteConcern
    from pymongo.errors import DuplicateKeyError, OperationFailure
    from pymongo.read_concern import ReadConcern
except ImportError as error:
    raise not_installed("mongodb") from error

LOCKS, HISTORY = "_kw_lock", "_kw_history"
"""Names of the collections; `engines/mongodb/schema/reported.py` hides their prefix."""

PAGE = 500
"""Rows of one answer of the server."""

TIMEOUT_SECONDS = 10
"""The time limit of one call: the client itself would wait for a majority, or an answer, without limit."""

NAMESPACE_EXISTS = 48
"""The server's error code for a collection that already exists."""

_SAFE: Any = {
    "write_concern": WriteConcern("majority"),
    "read_concern": ReadConcern("majority"),
    "read_preference": ReadPreference.PRIMARY,
}
_LAST = "\U0010ffff"
"""Sorts after every character of keys."""

P = ParamSpec("P")
R = TypeVar("R")


def ledger(client: Any, home: str, store: str) -> Ledger:
    """The history of a store in the database `home`.

    A row is stored as text, so that comparisons do not depend on numbers and the order of fields in BSON.
    """
    locks, history = (client[home].get_collection(name, **_SAFE) for name in (LOCKS, HISTORY))
    session = LockSession(client)
    return Ledger(
        place=f'database "{home}", store "{store}"',
        prepare=_timed(lambda: _prepare(client, locks, history, store)),
        lock=_timed(lambda: _lock(locks, store)),
        swap=_timed(lambda lock, new: _swap(session, locks, store, lock, new)),
        rows=_timed(lambda prefix: _rows(history, store, prefix)),
        row=_timed(lambda key: _row(history, store, key)),
        put=_timed(lambda key, row, fence: _put(session, locks, history, store, key, row, fence)),
        replace=_timed(
            lambda key, before, after, fence: _replace(session, locks, history, store, key, before, after, fence)
        ),
        now=_timed(lambda: _now(client)),
    )


def _timed(call: Callable[P, R]) -> Callable[P, R]:
    @wraps(call)
    def timed(*args: P.args, **kwargs: P.kwargs) -> R:
        with pymongo.timeout(TIMEOUT_SECONDS):
            return call(*args, **kwargs)

    return timed


def _prepare(client: Any, locks: Any, history: Any, store: str) -> None:
    """Create the collections first: concurrent transactions that create a collection would conflict."""
    hello = client.admin.command("hello")
    if "setName" not in hello and hello.get("msg") != "isdbgrid":
        raise StatementFailed(
            "a standalone server has no transactions, which the history needs: start it with --replSet and run "
            "rs.initiate() once; a replica set of one member is enough"
        )
    for collection in (locks, history):
        try:
            collection.database.create_collection(collection.name, check_exists=False)
        except OperationFailure as failure:
            if failure.code != NAMESPACE_EXISTS:
                raise
    free = {"owner": UNHELD.owner, "fence": UNHELD.fence, "beat": UNHELD.beat}
    with suppress(DuplicateKeyError):  # from one of two concurrent upserts
        locks.update_one({"_id": store}, {"$setOnInsert": free}, upsert=True)


def _lock(locks: Any, store: str) -> Lock:
    document = locks.find_one({"_id": store})
    return Lock(document["owner"], document["fence"], document["beat"]) if document else UNHELD


def _swap(session: LockSession, locks: Any, store: str, lock: Lock, new: Lock) -> bool:
    is_takeover = lock.owner is not None and new.fence != lock.fence
    if is_takeover:
        session.end_others(locks, store)
    expected = {"_id": store, "owner": lock.owner, "fence": lock.fence, "beat": lock.beat}
    change = {"$set": {"owner": new.owner, "fence": new.fence, "beat": new.beat, "session": session.id}}
    return locks.find_one_and_update(expected, change) is not None


def _id(store: str, key: str) -> str:
    return f"{store}#{key}"


def _rows(history: Any, store: str, prefix: str) -> dict[str, Json]:
    begin = _id(store, "")
    keys = {"$gte": _id(store, prefix), "$lt": _id(store, prefix + _LAST)}
    documents = history.find({"_id": keys}, batch_size=PAGE).sort("_id", 1)
    return {document["_id"].removeprefix(begin): json.loads(document["row"]) for document in documents}


def _row(history: Any, store: str, key: str) -> Json:
    document = history.find_one({"_id": _id(store, key)})
    return json.loads(document["row"]) if document else None


def _put(lock_session: LockSession, locks: Any, history: Any, store: str, key: str, row: Json, fence: int) -> bool:
    change = {"$set": {"row": canonical(row)}}

    def effect(session: Any) -> bool:
        history.update_one({"_id": _id(store, key)}, change, upsert=True, session=session)
        return True

    return _fenced(lock_session, locks, store, fence, effect)


def _fenced(lock_session: LockSession, locks: Any, store: str, fence: int, effect: Callable[[Any], bool]) -> bool:
    """Whether an effect was committed, in a transaction that also writes the lock.

    With a mere read of the lock, a former holder could commit: only two writes of one document exclude each other.
    """

    def write(session: Any) -> bool:
        result = locks.update_one({"_id": store, "fence": fence}, {"$inc": {"writes": 1}}, session=session)
        if result.matched_count == 0 or not effect(session):
            session.abort_transaction()
            return False
        return True

    # It retries after a conflict, and repeats a commit without an answer, until the time limit.
    return lock_session.transaction(write, **_SAFE)


def _replace(
    lock_session: LockSession,
    locks: Any,
    history: Any,
    store: str,
    key: str,
    before: Json,
    after: Json,
    fence: int,
) -> bool:
    id, change = _id(store, key), {"$set": {"row": canonical(after)}}

    def effect(session: Any) -> bool:
        if before is None:
            history.insert_one({"_id": id, "row": canonical(after)}, session=session)
            return True
        result = history.update_one({"_id": id, "row": canonical(before)}, change, session=session)
        return bool(result.matched_count)

    try:
        return _fenced(lock_session, locks, store, fence, effect)
    except DuplicateKeyError:
        return False


def _now(client: Any) -> datetime:
    moment: datetime = client.admin.command("hello")["localTime"]
    return moment.replace(tzinfo=UTC)
