"""Proofs of transactions: either all writes happen or none."""

from typing import Any

from .changes import changes, raw, updated, with_value
from .dataset import StoredInstance
from .proof_case import ProofCase
from .stored import (
    eligible,
    expect_absent,
    expect_rejected,
    expect_stored,
    expect_unchanged,
    is_same,
    key,
    record_state,
    unambiguous,
)


def prove_transaction(trial: ProofCase) -> None:
    """Run all writes together; then make one write fail, and report items that the others changed."""
    subjects, expected = [], list[tuple[ProofCase, StoredInstance, Any]]()
    for part in trial.parts:
        subject, states = _subject(part, [stored_instance for _, stored_instance, _ in expected])
        if subject is None:
            trial.proof.disagrees(f'no generated item can be written by "{part.pattern.name}": raise --scale')
            return
        subjects.append(subject)
        expected += ((part, stored_instance, instance) for stored_instance, instance in states)
    trial.call(*subjects)
    trial.proof.returned += len(expected)
    for part, stored_instance, instance in expected:
        if instance is None:
            part.dataset.stored.remove(stored_instance)
        else:
            record_state(part, stored_instance, instance)
    for part, stored, instance in expected:
        if instance is None:
            expect_absent(part, stored)
        else:
            expect_stored(part, stored)
        expect_unchanged(part)
        trial.proof.expected += len(stored.items)
        for problem in part.proof.problems:
            trial.proof.disagrees(f"{part.pattern.name}: {problem}")
    if any(part.pattern.if_absent or part.pattern.where for part in trial.parts):
        _prove_rollback(trial, subjects, expected)


def _subject(part: ProofCase, written: list[StoredInstance]) -> tuple[Any, list[tuple[StoredInstance, Any]]]:
    """The subject of one write of a transaction, and the expected (stored instance, new instance or None if deleted).

    written: instances of the earlier writes, which are not written again.
    """
    pattern = part.pattern
    if pattern.kind == "put":
        if not part.dataset.spares:
            return None, []
        instance = part.dataset.spares.pop(0)
        return instance, [(part.dataset.add(instance, is_drawn=True), instance)]
    candidates = (unambiguous if pattern.kind == "increment" else eligible)(part)
    targets = [
        stored_instance for stored_instance in candidates if not any(stored_instance is other for other in written)
    ][: max(1, pattern.batch)]
    if not targets:
        return None, []
    match pattern.kind:
        case "update":
            values_by_target = [
                (stored_instance, changes(part, stored_instance.instance)) for stored_instance in targets
            ]
            subjects = [
                {**key(part, stored_instance.instance), **values} for stored_instance, values in values_by_target
            ]
            return subjects, [
                (stored_instance, updated(part, stored_instance.instance, values))
                for stored_instance, values in values_by_target
            ]
        case "increment":
            field = pattern.field or ""
            numbers = [(raw(stored_instance.instance, field) or 0, stored_instance) for stored_instance in targets]
            states = [
                (stored_instance, with_value(stored_instance.instance, field, value + pattern.by))
                for value, stored_instance in numbers
            ]
            return [key(part, stored_instance.instance) for stored_instance in targets], states
        case _:
            return [key(part, stored_instance.instance) for stored_instance in targets], [
                (stored_instance, None) for stored_instance in targets
            ]


def _prove_rollback(
    trial: ProofCase, subjects: list[Any], expected: list[tuple[ProofCase, StoredInstance, Any]]
) -> None:
    """Repeat the transaction: items that must be absent exist now, so that nothing may change."""
    if not any(part.pattern.if_absent for part in trial.parts):
        return
    expect_rejected(trial, "a transaction with a write that must fail", *subjects)
    for part, stored_instance, instance in expected:
        for item in stored_instance.items if instance is not None else ():
            actual = part.driver.stored(part.object, item)
            if actual is None or not is_same(actual, item):
                trial.proof.disagrees(f"{part.pattern.name}: a transaction that failed changed {part.shown(item)}")
