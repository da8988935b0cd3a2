"""The lock of a store, over a history in memory."""

import os
import time
from collections.abc import Callable
from contextlib import AbstractContextManager

import pytest
from tests.migrations.memory import MemoryLedger

from keywright.engines.contract.ledger import UNHELD, Lock
from keywright.engines.interface import StatementFailed
from keywright.errors import Blocked
from keywright.migrations.lock.lock import HeldLock, Lease, LockLost, LockWait, locking, locking_all, new_owner, unlock

LONG, SHORT = Lease(60), Lease(0.4)


def hold(
    memory: MemoryLedger, owner: str = "me", lease: Lease = LONG, *, wait_seconds: float = 0
) -> AbstractContextManager[HeldLock]:
    return locking(memory.ledger, owner, lease, wait_seconds=wait_seconds, tell=lambda waiting: None)


def until(is_so: Callable[[], bool]) -> None:
    ends = time.monotonic() + 20
    while not is_so():
        assert time.monotonic() < ends
        time.sleep(0.01)


def is_lost(holding: HeldLock) -> bool:
    try:
        holding.check()
    except LockLost:
        return True
    return False


def test_all_times_follow_from_the_lease() -> None:
    assert (LONG.beat_seconds, LONG.limit_seconds, LONG.takeover_seconds) == (15, 40, 70)


def test_an_owner_is_named_once_and_tells_its_process() -> None:
    assert new_owner() != new_owner()
    assert new_owner().split("/")[1] == str(os.getpid())


def test_the_first_holder_makes_the_lock_and_its_fence_is_one() -> None:
    memory = MemoryLedger()
    with hold(memory) as holding:
        holding.check()
        assert (holding.fence, memory.state, memory.is_prepared) == (1, Lock("me", 1, 0), True)


def test_who_comes_later_has_a_higher_fence_and_prepares_nothing() -> None:
    memory = MemoryLedger(state=Lock(None, 7, 3))
    with hold(memory) as holding:
        assert (holding.fence, memory.state) == (8, Lock("me", 8, 0))
    assert "prepare" not in memory.calls


@pytest.mark.parametrize("end", [None, RuntimeError, KeyboardInterrupt, SystemExit])
def test_however_a_holding_ends_nobody_holds_the_lock_then(end: type[BaseException] | None) -> None:
    memory = MemoryLedger()
    try:
        with hold(memory):
            if end is not None:
                raise end
    except (RuntimeError, KeyboardInterrupt, SystemExit):
        assert end is not None
    assert memory.state == Lock(None, 1, 0)


def test_a_row_is_written_under_the_fence() -> None:
    memory = MemoryLedger()
    with hold(memory) as holding:
        holding.put("0008", {"state": "RUNNING"})
    assert memory.row("0008") == {"state": "RUNNING"}


def test_who_cannot_wait_is_blocked_and_told_who_holds_it() -> None:
    memory = MemoryLedger(state=Lock("host/1/ab", 3, 8))
    with pytest.raises(Blocked) as caught, hold(memory):
        pass
    assert caught.value.exit_code == 4
    assert str(caught.value) == (
        'memory: "host/1/ab" has held the lock for 2 min\n'
        "  help: try again later; if that process is dead, release its lock:"
        " keywright migrate unlock --owner host/1/ab"
    )
    assert memory.state == Lock("host/1/ab", 3, 8)


def test_who_waits_is_told_who_holds_it_and_for_how_long() -> None:
    memory, lock_waits = MemoryLedger(state=Lock("they", 3, 2)), list[LockWait]()

    def tell(waiting: LockWait) -> None:
        lock_waits.append(waiting)
        memory.state = Lock(None, 3, 2)

    with locking(memory.ledger, "me", SHORT, wait_seconds=30, tell=tell) as holding:
        assert holding.fence == 4
    (waiting,) = lock_waits
    assert (waiting.place, waiting.owner) == ("memory", "they")
    assert waiting.held_seconds == pytest.approx(0.2, abs=0.1)
    assert waiting.left_seconds == pytest.approx(0.47, abs=0.1)


def test_a_holder_without_a_beat_is_taken_over_when_its_lease_is_over() -> None:
    memory, began = MemoryLedger(state=Lock("dead", 3, 7)), time.monotonic()
    with hold(memory, lease=SHORT, wait_seconds=30) as holding:
        assert time.monotonic() - began >= SHORT.takeover_seconds
        assert (holding.fence, memory.state.owner) == (4, "me")


def test_a_holder_that_beats_is_not_taken_over() -> None:
    memory = MemoryLedger(state=Lock("they", 3, 0))

    def beat(call: str) -> None:
        if memory.calls.count("lock") % 5 == 0:
            memory.state = Lock("they", 3, memory.state.beat + 1)

    memory.before = beat
    with pytest.raises(Blocked), hold(memory, lease=SHORT, wait_seconds=1):
        pass
    assert (memory.state.owner, memory.state.fence) == ("they", 3)


def test_a_holder_beats() -> None:
    memory = MemoryLedger()
    with hold(memory, lease=Lease(2)) as holding:
        until(lambda: memory.state.beat >= 2)
        holding.check()
        assert memory.state.fence == 1
    assert memory.state.owner is None


@pytest.mark.parametrize("call", ["refuse", "lose_answers"])
def test_a_beat_that_fails_is_tried_again(call: str) -> None:
    memory = MemoryLedger()
    with hold(memory, lease=Lease(2)) as holding:
        getattr(memory, call)("swap")
        until(lambda: memory.state.beat >= 2)
        holding.check()
    assert memory.state.owner is None


def test_a_holder_whose_beats_fail_for_too_long_stops() -> None:
    memory = MemoryLedger()
    with hold(memory, lease=SHORT) as holding:
        memory.refuse("swap", 1_000_000)
        until(lambda: is_lost(holding))
        memory.refuse("swap", -1_000_000)
        with pytest.raises(LockLost, match=r"no heartbeat succeeded for 0\.27 s"):
            holding.put("0008", {})
    assert memory.texts == {}
    assert memory.state.owner is None


def test_after_the_limit_there_are_no_more_beats() -> None:
    memory = MemoryLedger()
    with hold(memory, lease=SHORT) as holding:
        memory.refuse("swap", 1_000_000)
        until(lambda: not holding._heart.is_alive())
        memory.refuse("swap", -1_000_000)
        assert is_lost(holding)
        assert memory.state == Lock("me", 1, 0)


def test_a_holder_that_slept_too_long_stops_before_it_writes(monkeypatch: pytest.MonkeyPatch) -> None:
    memory = MemoryLedger()
    with hold(memory) as holding:
        wakes = time.monotonic() + 41
        monkeypatch.setattr("keywright.migrations.lock.lease.now", lambda: wakes)
        holding._good = wakes - 41
        with pytest.raises(LockLost):
            holding.put("0008", {})
    assert memory.texts == {}


def test_a_former_holder_is_refused_by_its_fence() -> None:
    memory = MemoryLedger()
    with hold(memory) as holding:
        memory.state = Lock("they", 2, 0)
        with pytest.raises(LockLost) as caught:
            holding.put("0008", {})
        assert is_lost(holding)
    assert caught.value.exit_code == 4
    assert memory.texts == {}
    assert memory.state == Lock("they", 2, 0), "the other one goes on"


@pytest.mark.parametrize(
    ("state", "why"), [(Lock("they", 2, 0), '"they" has taken over'), (Lock(None, 2, 0), "it was released")]
)
def test_a_holder_sees_by_its_beats_that_it_lost_the_lock(state: Lock, why: str) -> None:
    memory = MemoryLedger()
    with hold(memory, lease=Lease(2)) as holding:
        memory.state = state
        until(lambda: is_lost(holding))
        with pytest.raises(LockLost, match=why):
            holding.check()
    assert memory.state == state


def test_a_swap_whose_answer_is_lost_is_known_by_its_owner() -> None:
    memory = MemoryLedger()
    memory.lose_answers("swap")
    with hold(memory, lease=Lease(2)) as holding:
        assert (holding.fence, memory.state) == (1, Lock("me", 1, 1))


def test_what_fails_while_a_lock_is_acquired_is_tried_again() -> None:
    memory = MemoryLedger()
    memory.refuse("swap", 2)
    memory.refuse("prepare", 2)
    with hold(memory, lease=SHORT) as holding:
        assert holding.fence == 1


@pytest.mark.parametrize(("call", "looks"), [("lock", 1), ("prepare", 6), ("swap", 6)])
def test_a_server_that_refuses_for_ever_is_asked_a_few_times(call: str, looks: int) -> None:
    memory = MemoryLedger()
    memory.refuse(call, 1_000)
    with pytest.raises(StatementFailed, match=f"{call} failed"), hold(memory, lease=SHORT):
        pass
    assert memory.calls.count(call) == looks
    assert memory.state == UNHELD


def test_a_lock_that_cannot_be_changed_is_not_tried_for_ever() -> None:
    memory = MemoryLedger()
    memory.before = lambda call: setattr(memory, "state", Lock("they", 9, 9)) if call == "swap" else None
    memory.after = lambda call: setattr(memory, "state", UNHELD)
    with pytest.raises(StatementFailed, match="its update was rejected"), hold(memory, lease=SHORT):
        pass


def test_who_is_slower_waits_for_who_was_faster() -> None:
    memory = MemoryLedger()

    def faster(call: str) -> None:
        if call == "swap":
            memory.state = Lock("they", 1, 0)

    memory.before = faster
    with pytest.raises(Blocked, match='"they"'), hold(memory):
        pass
    assert memory.state == Lock("they", 1, 0)


def test_a_swap_that_was_interrupted_is_undone() -> None:
    memory = MemoryLedger()

    def interrupt(call: str) -> None:
        if call == "swap":
            memory.after = lambda call: None
            raise KeyboardInterrupt

    memory.after = interrupt
    with pytest.raises(KeyboardInterrupt), hold(memory):
        pass
    assert memory.state == Lock(None, 1, 0)


@pytest.mark.parametrize(
    ("call", "times", "owner"), [("refuse", 2, None), ("lose_answers", 1, None), ("refuse", 9, "me")]
)
def test_a_release_is_tried_a_few_times(call: str, times: int, owner: str | None) -> None:
    memory = MemoryLedger()
    with hold(memory):
        getattr(memory, call)("swap", times)
    assert memory.state == Lock(owner, 1, 0)


def test_several_stores_are_locked_in_the_order_of_their_names() -> None:
    order: list[str] = []
    memories = {name: MemoryLedger() for name in ("redis/a", "mongodb/b", "cassandra/c")}
    for name, memory in memories.items():
        memory.before = lambda call, name=name: order.append(name) if call == "swap" else None
    ledgers = {name: memory.ledger for name, memory in memories.items()}
    with locking_all(ledgers, "me", LONG, wait_seconds=0, tell=lambda waiting: None) as holdings:
        assert {name: holding.fence for name, holding in holdings.items()} == dict.fromkeys(sorted(memories), 1)
        assert order == ["cassandra/c", "mongodb/b", "redis/a"]
    assert {memory.state for memory in memories.values()} == {Lock(None, 1, 0)}


def test_of_several_stores_none_stays_locked_when_one_is_held_by_somebody_else() -> None:
    free, taken = MemoryLedger(), MemoryLedger(state=Lock("they", 1, 0))
    ledgers = {"a": free.ledger, "b": taken.ledger}
    with pytest.raises(Blocked), locking_all(ledgers, "me", LONG, wait_seconds=0, tell=lambda waiting: None):
        pass
    assert (free.state, taken.state) == (Lock(None, 1, 0), Lock("they", 1, 0))


def test_the_lock_of_a_named_holder_is_released_and_its_fence_is_past() -> None:
    memory = MemoryLedger()
    with hold(memory) as holding:
        assert unlock(memory.ledger, "me")
        assert memory.state == Lock(None, 2, 0)
        with pytest.raises(LockLost):
            holding.put("0008", {})
    assert not unlock(memory.ledger, "me")


def test_the_lock_of_another_holder_is_not_released() -> None:
    memory = MemoryLedger(state=Lock("they", 3, 1))
    with pytest.raises(Blocked, match='held by "they", not by "me"'):
        unlock(memory.ledger, "me")
    assert memory.state == Lock("they", 3, 1)
