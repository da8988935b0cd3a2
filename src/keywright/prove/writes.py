"""Proofs of patterns that write: the state read back equals the model's answer, and conditions are refused."""

from collections.abc import Callable
from typing import Any

from .changes import changes, updated, with_value
from .stored import absent, alone, becomes, chosen, expect, is_close, key, refused, rounded, untouched
from .together import prove_transaction
from .trial import Trial
from .world import ROUNDS, Kept


def prove_write(trial: Trial) -> None:
    """Write with a pattern, look at what the store holds afterwards, and see that its conditions are refused."""
    PROVERS[trial.pattern.kind](trial)
    if not trial.proof.calls:
        trial.proof.disagrees("no generated item lends it values: raise --scale")


def _put(trial: Trial) -> None:
    """Write what is not there yet, whole; a second time where that must fail."""
    spares = trial.world.spares
    if not spares and trial.pattern.if_absent and trial.world.kept:
        trial.proof.tolerance = "every instance is stored already: that it is refused is all that is shown"
        refused(trial, "writing an item that is there", trial.world.instances[0])
        expect(trial, trial.world.kept[0])
        return
    if not spares:
        spares = trial.world.instances[:1]  # such as a singleton: it is written over itself
    several = [spares[:ROUNDS]] if trial.pattern.batch > 1 else [[one] for one in spares[:ROUNDS]]
    for instances in several:
        trial.call(*instances)
        trial.proof.returned += len(instances)
        for instance in instances:
            made = trial.world.add(instance, is_drawn=True) if trial.world.spares else trial.world.kept[0]
            expect(trial, made)
        untouched(trial)
        if trial.pattern.if_absent:
            refused(trial, "writing an item that is there", *instances)
    del trial.world.spares[:ROUNDS]


def _update(trial: Trial) -> None:
    for one in chosen(trial)[:ROUNDS]:
        values = changes(trial, one.instance)
        trial.call({**key(trial, one.instance), **values})
        trial.proof.returned += 1
        _replace(trial, one, updated(trial, one.instance, values))
    _guarded(trial, lambda instance: {**key(trial, instance), **changes(trial, instance)})


def _increment(trial: Trial) -> None:
    field, by = trial.pattern.field or "", trial.pattern.by
    for one in alone(trial)[:ROUNDS]:
        before = (trial.read(one.instance, field) or [0])[0]
        answer = trial.call(key(trial, one.instance))
        trial.proof.returned += 1
        if answer is not None and not is_close(answer, before + by):
            trial.proof.disagrees(f"answers {answer}, and {before} + {by} is {before + by}")
        becomes(trial, one, with_value(one.instance, field, before + by))
        rounded(trial, one, field)
        expect(trial, one)
        untouched(trial)
    _guarded(trial, lambda instance: key(trial, instance))


def _delete(trial: Trial) -> None:
    """Remove what has some item's values: all of it, and nothing else."""
    for _ in range(ROUNDS):
        found = chosen(trial)
        if not found:
            break
        values = key(trial, found[0].instance)
        gone = [one for one in found if key(trial, one.instance) == values]
        trial.call(values)
        trial.proof.returned += len(gone)
        for one in gone:
            trial.world.kept.remove(one)
            absent(trial, one)
        untouched(trial)
        if not trial.pattern.where:
            trial.call(values, judged=False)


def _replace(trial: Trial, one: Kept, instance: Any) -> None:
    """Note the new state of an instance, and hold the store against it."""
    becomes(trial, one, instance)
    expect(trial, one)
    untouched(trial)


def _guarded(trial: Trial, values: Callable[[Any], dict[str, Any]]) -> None:
    """Where there are conditions on the item, one that does not fulfil them is not changed; nor is one made anew."""
    good = {id(one) for one in chosen(trial)}
    if trial.pattern.where and (bad := next((one for one in trial.world.kept if id(one) not in good), None)):
        refused(trial, "changing an item that is not as the condition says", values(bad.instance))
        expect(trial, bad)
    if trial.pattern.kind == "update" and trial.world.spares:
        absent = trial.world.make(trial.world.spares[-1])
        if trial.driver.stored(trial.object, absent.items[0]) is None:
            refused(trial, "changing an item that is not there", values(absent.instance))
            if trial.driver.stored(trial.object, absent.items[0]) is not None:
                trial.proof.disagrees("changing an item that is not there made a part of one")


PROVERS: dict[str, Callable[[Trial], None]] = {
    "put": _put, "update": _update, "increment": _increment, "delete": _delete, "transact": prove_transaction,
}  # fmt: skip
"""How each kind of writing pattern is proved."""
