"""The lock of a store: one holder at a time, identified by a fence, until it releases the lock or the lease expires.

Clocks of different machines are never compared: a watcher takes over a lock that it has itself seen unchanged for long
enough.
"""

import os
import secrets
import socket
import time
from collections.abc import Generator, Mapping
from contextlib import ExitStack, contextmanager

from keywright.engines.contract.ledger import Ledger, Lock
from keywright.errors import Blocked

from .lease import HeldLock, Lease, LockLost, let_go
from .wait import LockAttempt, LockWait, Notify, advice

__all__ = ["HeldLock", "Lease", "LockLost", "LockWait", "Notify", "locking", "locking_all", "new_owner", "unlock"]


def new_owner() -> str:
    """Unique name of a lock's owner, with host and process id."""
    return f"{socket.gethostname()}/{os.getpid()}/{secrets.token_hex(4)}"


@contextmanager
def locking(
    ledger: Ledger, owner: str, lease: Lease, *, wait_seconds: float, tell: Notify
) -> Generator[HeldLock, None, None]:
    """Hold the lock of a store within the block, and release it however the block ends.

    owner: a name from `new_owner`, used once. The ledger is prepared if its lock has never been held.
    Raises Blocked if another process holds the lock for longer than `wait_seconds`; StatementFailed if the first read
    of the lock fails, or many later ones.
    """
    with _locked(LockAttempt(ledger, owner, lease), ledger, lease, wait_seconds, tell) as held_lock:
        yield held_lock


@contextmanager
def _locked(
    attempt: LockAttempt, ledger: Ledger, lease: Lease, wait_seconds: float, tell: Notify
) -> Generator[HeldLock, None, None]:
    held_lock: HeldLock | None = None
    try:
        lock, since = attempt.acquire(wait_seconds, tell)
        held_lock = HeldLock(ledger, lease, lock, since)
        yield held_lock
    finally:
        if held_lock is not None:
            held_lock.end()
        elif attempt.has_tried:
            let_go(ledger, attempt.owner)


@contextmanager
def locking_all(
    ledgers: Mapping[str, Ledger], owner: str, lease: Lease, *, wait_seconds: float, tell: Notify
) -> Generator[dict[str, HeldLock], None, None]:
    """Hold the locks of several stores, by name. Locks are acquired in the order of names, which prevents deadlocks."""
    ends = time.monotonic() + wait_seconds
    attempts = {name: LockAttempt(ledgers[name], owner, lease) for name in sorted(ledgers)}
    for attempt in attempts.values():
        attempt.look()  # all leases run from now on, so that a dead holder of many locks is waited for only once
    with ExitStack() as stack:
        held_locks: dict[str, HeldLock] = {}
        for name, attempt in attempts.items():
            left_seconds = max(0.0, ends - time.monotonic())
            held_locks[name] = stack.enter_context(_locked(attempt, ledgers[name], lease, left_seconds, tell))
        yield held_locks


def unlock(ledger: Ledger, owner: str) -> bool:
    """Release the lock of a dead holder; a holder that is still alive loses it.

    Returns whether the lock was held. Raises Blocked if another owner holds it.
    """
    while (lock := ledger.lock()).owner is not None:
        if lock.owner != owner:
            raise Blocked(f'{ledger.place}: the lock is held by "{lock.owner}", not by "{owner}"', advice(lock.owner))
        if ledger.swap(lock, Lock(None, lock.fence + 1, 0)):
            return True
    return False
