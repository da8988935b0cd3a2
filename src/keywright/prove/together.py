"""Proofs of transactions: all writes are done, or none of them is."""

from typing import Any

from .changes import changes, raw, updated, with_value
from .stored import absent, alone, becomes, chosen, expect, is_same, key, refused, untouched
from .trial import Trial
from .world import Kept


def prove_transaction(trial: Trial) -> None:
    """Do all writes together; then let one of them fail, and see that none was done."""
    subjects, expected = [], list[tuple[Trial, Kept, Any]]()
    for part in trial.parts:
        subject, states = _subject(part, [one for _, one, _ in expected])
        if subject is None:
            trial.proof.disagrees(f'no generated item can be written by "{part.pattern.name}": raise --scale')
            return
        subjects.append(subject)
        expected += ((part, one, instance) for one, instance in states)
    trial.call(*subjects)
    trial.proof.returned += len(expected)
    for part, one, instance in expected:
        if instance is None:
            part.world.kept.remove(one)
        else:
            becomes(part, one, instance)
    for part, one, instance in expected:
        if instance is None:
            absent(part, one)
        else:
            expect(part, one)
        untouched(part)
        trial.proof.expected += len(one.items)
        for problem in part.proof.problems:
            trial.proof.disagrees(f"{part.pattern.name}: {problem}")
    if any(part.pattern.if_absent or part.pattern.where for part in trial.parts):
        _fails_whole(trial, subjects, expected)


def _subject(part: Trial, taken: list[Kept]) -> tuple[Any, list[tuple[Kept, Any]]]:
    """What is given for one write of a transaction, and what must be stored afterwards; None for what is removed.

    taken: what the writes before it are of; nothing is written twice.
    """
    pattern = part.pattern
    if pattern.kind == "put":
        if not part.world.spares:
            return None, []
        instance = part.world.spares.pop(0)
        return instance, [(part.world.add(instance, is_drawn=True), instance)]
    stored = (alone if pattern.kind == "increment" else chosen)(part)
    found = [one for one in stored if not any(one is other for other in taken)][: max(1, pattern.batch)]
    if not found:
        return None, []
    match pattern.kind:
        case "update":
            new = [(one, changes(part, one.instance)) for one in found]
            given = [{**key(part, one.instance), **values} for one, values in new]
            return given, [(one, updated(part, one.instance, values)) for one, values in new]
        case "increment":
            field = pattern.field or ""
            before = [(raw(one.instance, field) or 0, one) for one in found]
            states = [(one, with_value(one.instance, field, value + pattern.by)) for value, one in before]
            return [key(part, one.instance) for one in found], states
        case _:
            return [key(part, one.instance) for one in found], [(one, None) for one in found]


def _fails_whole(trial: Trial, subjects: list[Any], expected: list[tuple[Trial, Kept, Any]]) -> None:
    """The same again: what must be absent is there now, so nothing may change."""
    if not any(part.pattern.if_absent for part in trial.parts):
        return
    refused(trial, "a transaction of which one write must fail", *subjects)
    for part, one, instance in expected:
        for item in one.items if instance is not None else ():
            found = part.driver.stored(part.object, item)
            if found is None or not is_same(found, item):
                trial.proof.disagrees(f"{part.pattern.name}: a transaction that failed changed {item!r}"[:300])
