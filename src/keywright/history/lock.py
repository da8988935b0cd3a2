"""Who may change a store: one holder at a time, known by a fence, until it ends or has given no sign for too long.

Nobody's clock is compared with another one's: a watcher takes over what it has itself seen unchanged for long enough.
"""

import os
import secrets
import socket
import time
from collections.abc import Generator, Mapping
from contextlib import ExitStack, contextmanager

from keywright.engines.ledger import Ledger, Lock
from keywright.errors import Blocked

from .holding import Holding, Lease, LockLost, let_go
from .watch import Tell, Waiting, Watch, advice

__all__ = ["Holding", "Lease", "LockLost", "Tell", "Waiting", "held", "held_all", "new_owner", "unlock"]


def new_owner() -> str:
    """A name for one holding: no other one has it, and it tells where its process is."""
    return f"{socket.gethostname()}/{os.getpid()}/{secrets.token_hex(4)}"


@contextmanager
def held(
    ledger: Ledger, owner: str, lease: Lease, *, wait_seconds: float, tell: Tell
) -> Generator[Holding, None, None]:
    """Hold the lock of a store within the block; however that ends, the next holder can start at once.

    owner: a name from `new_owner`, used once. The ledger is prepared where nobody has held its lock yet.
    Raises Blocked if somebody else holds it for longer than `wait_seconds`; StatementFailed if the first look at it
    fails, or many later ones.
    """
    with _held(Watch(ledger, owner, lease), ledger, lease, wait_seconds, tell) as holding:
        yield holding


@contextmanager
def _held(
    watch: Watch, ledger: Ledger, lease: Lease, wait_seconds: float, tell: Tell
) -> Generator[Holding, None, None]:
    holding: Holding | None = None
    try:
        lock, since = watch.acquire(wait_seconds, tell)
        holding = Holding(ledger, lease, lock, since)
        yield holding
    finally:
        if holding is not None:
            holding.end()
        elif watch.has_tried:
            let_go(ledger, watch.owner)


@contextmanager
def held_all(
    ledgers: Mapping[str, Ledger], owner: str, lease: Lease, *, wait_seconds: float, tell: Tell
) -> Generator[dict[str, Holding], None, None]:
    """Hold the locks of several stores, by their names, for which it waits in the order of names: so nobody waits for
    one who waits for him.
    """
    ends = time.monotonic() + wait_seconds
    watches = {name: Watch(ledgers[name], owner, lease) for name in sorted(ledgers)}
    for watch in watches.values():
        watch.look()  # from now on all are watched at once: a dead holder of many is waited out once
    with ExitStack() as stack:
        holdings: dict[str, Holding] = {}
        for name, watch in watches.items():
            left = max(0.0, ends - time.monotonic())
            holdings[name] = stack.enter_context(_held(watch, ledgers[name], lease, left, tell))
        yield holdings


def unlock(ledger: Ledger, owner: str) -> bool:
    """Release the lock of a holder that is dead; one that lives after all loses it.

    Returns whether it was held. Raises Blocked if somebody else holds it.
    """
    while (seen := ledger.lock()).owner is not None:
        if seen.owner != owner:
            raise Blocked(f'{ledger.place}: the lock is held by "{seen.owner}", not by "{owner}"', advice(seen.owner))
        if ledger.swap(seen, Lock(None, seen.fence + 1, 0)):
            return True
    return False
