"""Processes that fight for the lock of a store: started once, let go together by a barrier."""

import multiprocessing
import traceback
from collections.abc import Callable, Iterable
from importlib import import_module
from multiprocessing.connection import Connection
from threading import Barrier
from typing import Any, Literal, TypeAlias

from keywright.engines.contract.ledger import Ledger, Lock
from keywright.engines.interface import Driver, StatementFailed
from keywright.migrations.lock.lock import Lease, LockLost, locking, new_owner
from keywright.record import Record, replace

ENGINES = ("cassandra", "dynamodb", "mongodb", "redis")

SECONDS = 60
"""The longest wait for a process."""

Mutant: TypeAlias = Literal["", "swap", "put"]
"""The function of a ledger whose check is taken out; none where it is empty."""


class Where(Record):
    """A store's history on a real server."""

    engine: str
    """Name of the engine."""
    url: str
    """Address of the server."""
    home: str
    """Table, database or keyspace, or how keys begin."""
    store: str
    """Name of the store."""

    def connect(self) -> Driver:
        """A connection to the server; the caller closes it."""
        driver: Driver = import_module(f"keywright.drivers.{self.engine}.driver").connect(self.url)
        return driver


class At(Record):
    """What a process works with."""

    ledger: Ledger
    """The history."""
    gate: Barrier
    """Opens when all processes have come to it."""
    pipe: Connection
    """To the test."""


Job: TypeAlias = Callable[..., Any]
"""A function of this module: (at, arguments)."""


class Racer(Record):
    """A process."""

    process: Any
    """As `multiprocessing` gives it."""
    pipe: Connection
    """To the process."""

    def begin(self, job: Job, where: Where, *arguments: object) -> None:
        """Let it do something."""
        self.pipe.send((job, where, arguments))

    def hear(self) -> Any:
        """The next thing that it says: what a job answers, or sends before."""
        assert self.pipe.poll(SECONDS), "a process does not answer"
        failed = self.pipe.recv()
        assert not isinstance(failed, Failed), failed.text
        return failed


class Failed(Record):
    """What a process says when a job fails."""

    text: str
    """The traceback."""


class Crew:
    """So many processes, and others that are to be killed."""

    def __init__(self, size: int, victims: int) -> None:
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload([__name__, *(f"keywright.drivers.{engine}.driver" for engine in ENGINES)])
        self._gate = context.Barrier(size)
        started = [self._start(context) for _ in range(size + victims)]
        self.racers, self.victims = started[:size], started[size:]

    def _start(self, context: Any) -> Racer:
        ours, theirs = context.Pipe()
        process = context.Process(target=work, args=(self._gate, theirs), daemon=True)
        process.start()
        theirs.close()
        return Racer(process, ours)

    def together(self, job: Job, where: Where, *arguments: object) -> list[Any]:
        """What all racers answer to the same job."""
        for racer in self.racers:
            racer.begin(job, where, *arguments)
        return [racer.hear() for racer in self.racers]

    def end(self) -> None:
        """Kill what lives."""
        for racer in (*self.racers, *self.victims):
            racer.process.kill()
            racer.process.join()
            racer.pipe.close()


def work(gate: Barrier, pipe: Connection) -> None:
    """Do one job after the other; connections are kept."""
    drivers: dict[str, Driver] = {}
    while True:
        job, where, arguments = pipe.recv()
        try:
            if where.url not in drivers:
                drivers[where.url] = where.connect()
            pipe.send(job(At(drivers[where.url].ledger(where.home, where.store), gate, pipe), *arguments))
        except KeyboardInterrupt:
            pipe.send("interrupted")
        except Exception:  # noqa: BLE001 the test shall tell
            pipe.send(Failed(traceback.format_exc()))


def prepare(at: At) -> Lock:
    """Make the history, all at once."""
    at.gate.wait(SECONDS)
    at.ledger.prepare()
    return at.ledger.lock()


class Turn(Record):
    """What one process saw in one round."""

    seen: Lock
    """The lock, before anybody changes it."""
    has_won: bool
    """Whether it was told that it has the lock now."""
    has_written: bool
    """Whether it could write, under the fence that it has won or seen."""


def race(at: At, rounds: int, mutant: Mutant) -> list[Turn]:
    """Take the lock that all have seen, then write."""
    ledger, owner = _mutated(at.ledger, mutant), new_owner()
    return [_turn(at, ledger, owner, number) for number in range(rounds)]


def _turn(at: At, ledger: Ledger, owner: str, number: int) -> Turn:
    at.gate.wait(SECONDS)
    lock = at.ledger.lock()
    new = Lock(owner, lock.fence + 1, 0)
    at.gate.wait(SECONDS)
    try:
        has_won = ledger.swap(lock, new)
    except StatementFailed:  # nobody knows
        has_won = at.ledger.lock() == new
    at.gate.wait(SECONDS)
    fence = new.fence if has_won else lock.fence
    return Turn(lock, has_won, ledger.put(f"{number:04}", {"by": owner}, fence))


def _mutated(ledger: Ledger, mutant: Mutant) -> Ledger:
    def swap(lock: Lock, new: Lock) -> bool:
        while not ledger.swap(ledger.lock(), new):
            pass
        return True

    match mutant:
        case "swap":
            return replace(ledger, swap=swap)
        case "put":
            return replace(ledger, put=lambda key, row, fence: ledger.put(key, row, ledger.lock().fence))
        case _:
            return ledger


def violations(rounds: Iterable[tuple[Turn, ...]]) -> int:
    """In how many rounds not exactly one process got the lock and could write, or the fence did not rise by one."""
    count, fence = 0, None
    for turns in rounds:
        is_one_seen = len({turn.seen for turn in turns}) == 1
        is_risen = fence is None or turns[0].seen.fence == fence + 1
        winners = [turn for turn in turns if turn.has_won]
        writers = [turn for turn in turns if turn.has_written]
        count += not (is_one_seen and is_risen and len(winners) == 1 and winners == writers)
        fence = turns[0].seen.fence
    return count


def count_up(at: At, lease: Lease) -> int:
    """Raise a number by one, which is read and written under the lock; returns the fence."""
    at.gate.wait(SECONDS)
    with locking(at.ledger, new_owner(), lease, wait_seconds=SECONDS, tell=lambda waiting: None) as holding:
        row: Any = at.ledger.rows("count").get("count", {"n": 0})
        holding.put("count", {"n": row["n"] + 1})
        return holding.fence


def hold(at: At, lease: Lease) -> tuple[bool, bool]:
    """Hold the lock until the test says a word; then whether a write is known to be too late, and whether the server
    takes it.
    """
    with locking(at.ledger, new_owner(), lease, wait_seconds=SECONDS, tell=lambda waiting: None) as holding:
        holding.put("0001", {"by": "the first"})
        at.pipe.send(at.ledger.lock())
        at.pipe.recv()
        try:
            holding.put("0001", {"by": "the first, too late"})
            is_lost = False
        except LockLost:
            is_lost = True
        return is_lost, at.ledger.put("0001", {"by": "the first, too late"}, holding.fence)
