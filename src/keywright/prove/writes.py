"""Proofs of patterns that write: the stored items equal the expected ones, and unmet conditions reject the write."""

from collections.abc import Callable
from typing import Any

from keywright.engines.registry import engine_named
from keywright.runtime.validate.increments import room_of

from .changes import changes, updated, with_value
from .dataset import ROUNDS, StoredInstance
from .proof_case import GIVEN_TTL, ProofCase
from .stored import (
    eligible,
    expect_absent,
    expect_rejected,
    expect_stored,
    expect_unchanged,
    is_close,
    key,
    record_state,
    store_rounded,
    unambiguous,
)
from .transactions import prove_transaction


def prove_write(trial: ProofCase) -> None:
    """Write with a pattern, compare the stored items, and report unmet conditions that do not reject the write."""
    PROVERS[trial.pattern.kind](trial)
    if not trial.proof.calls:
        trial.proof.disagrees("no generated item has values for the call: raise --scale")


def _put(trial: ProofCase) -> None:
    """Put instances that are not stored yet; put them again if that must fail."""
    spares = trial.dataset.spares
    if not spares and trial.pattern.if_absent and trial.dataset.stored:
        trial.proof.tolerance = "every instance is stored already: only the rejection is proved"
        expect_rejected(trial, "writing an existing item", trial.dataset.instances[0])
        expect_stored(trial, trial.dataset.stored[0])
        return
    if not spares:
        spares = trial.dataset.instances[:1]  # such as a singleton, which replaces itself
    calls = [spares[:ROUNDS]] if trial.pattern.batch > 1 else [[spare] for spare in spares[:ROUNDS]]
    for instances in calls:
        trial.call(*instances)
        trial.proof.returned += len(instances)
        for instance in instances:
            stored = trial.dataset.add(instance, is_drawn=True) if trial.dataset.spares else trial.dataset.stored[0]
            expect_stored(trial, stored)
            _keep(trial, stored)
        expect_unchanged(trial)
        if trial.pattern.if_absent:
            expect_rejected(trial, "writing an existing item", *instances)
    del trial.dataset.spares[:ROUNDS]


def _update(trial: ProofCase) -> None:
    for stored_instance in eligible(trial)[:ROUNDS]:
        values = changes(trial, stored_instance.instance)
        trial.call({**key(trial, stored_instance.instance), **values})
        trial.proof.returned += 1
        _replace(trial, stored_instance, updated(trial, stored_instance.instance, values))
    _prove_conditions(trial, lambda instance: {**key(trial, instance), **changes(trial, instance)})


def _increment(trial: ProofCase) -> None:
    field, by = trial.pattern.field or "", trial.pattern.by
    for stored_instance in unambiguous(trial)[:ROUNDS]:
        before = (trial.read(stored_instance.instance, field) or [0])[0]
        room = room_of(trial.planned.binding, field)(by)
        is_bounded = engine_named(trial.planned.binding.engine).traits.bounds_increments
        if is_bounded and room is not None and not room.holds(before):
            expect_rejected(trial, "adding to a number at its bound", key(trial, stored_instance.instance))
            expect_stored(trial, stored_instance)
            continue
        answer = trial.call(key(trial, stored_instance.instance))
        trial.proof.returned += 1
        if answer is not None and not is_close(answer, before + by):
            trial.proof.disagrees(f"returns {answer}, but {before} + {by} is {before + by}")
        record_state(trial, stored_instance, with_value(stored_instance.instance, field, before + by))
        store_rounded(trial, stored_instance, field)
        expect_stored(trial, stored_instance)
        expect_unchanged(trial)
    _prove_conditions(trial, lambda instance: key(trial, instance))


def _delete(trial: ProofCase) -> None:
    """Delete by an item's values: all items with these values and no others."""
    for _ in range(ROUNDS):
        candidates = eligible(trial)
        if not candidates:
            break
        values = key(trial, candidates[0].instance)
        deleted = [candidate for candidate in candidates if key(trial, candidate.instance) == values]
        trial.call(values)
        trial.proof.returned += len(deleted)
        for stored_instance in deleted:
            trial.dataset.stored.remove(stored_instance)
            expect_absent(trial, stored_instance)
        expect_unchanged(trial)
        if not trial.pattern.where:
            trial.call(values, verify=False)


def _replace(trial: ProofCase, stored: StoredInstance, instance: Any) -> None:
    """Record the new state of an instance, and compare the store with it."""
    record_state(trial, stored, instance)
    expect_stored(trial, stored)
    _keep(trial, stored)
    expect_unchanged(trial)


def _keep(trial: ProofCase, stored: StoredInstance) -> None:
    """Write an item again if it expires during the proof, by a driver that gives it no time to live of its own."""
    if trial.pattern.ttl_seconds is not None and trial.pattern.ttl_seconds < GIVEN_TTL.total_seconds():
        trial.driver.load(trial.object, stored.items)


def _prove_conditions(trial: ProofCase, values: Callable[[Any], dict[str, Any]]) -> None:
    """Report writes that change an item against the pattern's conditions, and updates that create an item."""
    # An item is no evidence if another one with the same values of the call meets the conditions.
    admitted = [key(trial, stored.instance) for stored in eligible(trial)]
    others = (stored for stored in trial.dataset.stored if key(trial, stored.instance) not in admitted)
    if trial.pattern.where and (excluded := next(others, None)):
        expect_rejected(trial, "changing an item that does not meet the condition", values(excluded.instance))
        expect_stored(trial, excluded)
    if trial.pattern.kind == "update" and trial.dataset.spares:
        new = trial.dataset.make(trial.dataset.spares[-1])
        if trial.driver.stored(trial.object, new.items[0]) is None:
            expect_rejected(trial, "changing an absent item", values(new.instance))
            if trial.driver.stored(trial.object, new.items[0]) is not None:
                trial.proof.disagrees("changing an absent item created a part of it")


PROVERS: dict[str, Callable[[ProofCase], None]] = {
    "put": _put, "update": _update, "increment": _increment, "delete": _delete, "transact": prove_transaction,
}  # fmt: skip
"""Prover of each kind of write pattern."""
