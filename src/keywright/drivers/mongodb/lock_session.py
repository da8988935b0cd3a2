"""The session of the transactions that write a lock, which the next holder of the lock can end.

A process that dies within a transaction leaves it open. The server aborts it after `transactionLifetimeLimitSeconds`,
60 by default, and looks for such ones only now and then; until then nobody can write what it has written, the lock
above all. Source: https://www.mongodb.com/docs/manual/core/transactions-production-consideration/#runtime-limit,
2026-11-24.
"""

import threading
from collections.abc import Callable
from contextlib import suppress
from functools import cached_property
from typing import Any

from keywright.drivers.translate_errors import not_installed

try:
    from pymongo.errors import OperationFailure
except ImportError as error:
    raise not_installed("mongodb") from error


class LockSession:
    """The one session of all transactions of a process that may hold a lock.

    Transactions come one after the other; those of several sessions would conflict, as all of them write the lock.
    """

    def __init__(self, client: Any) -> None:
        self._client, self._turn = client, threading.Lock()

    @cached_property
    def _session(self) -> Any:
        return self._client.start_session()

    @property
    def id(self) -> Any:
        """The server's name for it, which is stored with the lock for the next holder."""
        return self._session.session_id["id"]

    def transaction(self, write: Callable[[Any], bool], **options: Any) -> bool:
        """What `write` returns for the session, in a transaction that is committed unless `write` aborts it."""
        with self._turn:
            try:
                return bool(self._session.with_transaction(write, **options))
            finally:
                if self._session.in_transaction:  # Ctrl-C
                    self._session.abort_transaction()

    def end_others(self, locks: Any, store: str) -> None:
        """Abort the transaction that the lock's holder has left open, unless the holder is this process.

        A server that does not allow it, because the holder was another user, aborts the transaction by itself, later.
        Source: https://www.mongodb.com/docs/manual/reference/command/killSessions/, 2026-11-24.
        """
        document = locks.find_one({"_id": store}, {"session": 1}) or {}
        session = document.get("session")
        if session is not None and session != self.id:
            with suppress(OperationFailure):
                self._client.admin.command("killSessions", [{"id": session}])
