"""Proofs of patterns that write: the state read back equals the model's answer, and conditions are refused."""

from collections.abc import Callable
from typing import Any

from keywright.ir.attribute import Many, Map, Scalar, Struct, Type
from keywright.ir.entity import element, resolve
from keywright.runtime.given import ConditionFailed

from .trial import Trial
from .values import holds
from .world import Kept

ROUNDS = 2
"""Items that each writing pattern is proved on."""

OTHERS = 12
"""Further items that are looked at after each write: they must be as they were."""


def prove_write(trial: Trial) -> None:
    """Write with a pattern, look at what the store holds afterwards, and see that its conditions are refused."""
    PROVERS[trial.pattern.kind](trial)
    if not trial.proof.calls:
        trial.proof.disagrees("no generated item lends it values: raise --scale")


def _put(trial: Trial) -> None:
    """Write what is not there yet, whole; a second time where that must fail."""
    spares = trial.world.spares
    if not spares and not trial.pattern.if_absent:
        spares = trial.world.instances[:1]  # such as a singleton: it is written over itself
    for instance in spares[:ROUNDS]:
        trial.call(instance)
        trial.proof.returned += 1
        made = trial.world.add(instance) if trial.world.spares else trial.world.kept[0]
        if not _leaves_shards(made, trial):
            _expect(trial, made)
        if trial.pattern.if_absent:
            _refused(trial, "writing an item that is there", instance)
    del trial.world.spares[:ROUNDS]


def _leaves_shards(made: Kept, trial: Trial) -> bool:
    """Whether the key of an item is drawn, so that nobody but its writer knows under which it stands."""
    return any(trial.world.make(made.instance, seed).items != made.items for seed in range(8))


def _expect(trial: Trial, made: Kept) -> None:
    """Hold every native item of an instance against what the store has under its key."""
    for item in made.items:
        trial.proof.expected += 1
        found = trial.driver.stored(trial.object, item)
        if found is None:
            trial.proof.disagrees(f"nothing is stored for {item!r}"[:300])
        elif not is_same(found, item):
            trial.proof.disagrees(f"stored is {differing(found, item)}")


def is_same(found: Any, wanted: Any) -> bool:
    """Whether two native items are the same; a store keeps no order of an item's attributes."""
    return bool(found == wanted)


def differing(found: Any, wanted: Any) -> str:
    """What differs between two native items."""
    if isinstance(found, dict) and isinstance(wanted, dict):
        names = [name for name in {**found, **wanted} if found.get(name) != wanted.get(name)]
        return ", ".join(f"{name}: {found.get(name)!r}, should be {wanted.get(name)!r}" for name in names)[:400]
    return f"{found!r}, should be {wanted!r}"[:400]


def _refused(trial: Trial, what: str, *subjects: Any, **options: Any) -> None:
    try:
        trial.call(*subjects, judged=False, **options)
    except ConditionFailed:
        return
    trial.proof.disagrees(f"{what} is not refused")


def chosen(trial: Trial) -> list[Kept]:
    """Stored instances that fulfil a write's conditions and have all its values."""
    asked = trial.asked
    guards = [one for one in asked.asked if one.constants is not None]
    return [
        one
        for one in trial.world.kept
        if all(holds(one.instance, guard, guard.constants or (), trial.read) for guard in guards)
        and all(trial.read(one.instance, given.field) for given in asked.asked if given.is_given)
    ]


def _key(trial: Trial, instance: Any) -> dict[str, Any]:
    """The values by which a write finds an item."""
    return {one.field: trial.read(instance, one.field)[0] for one in trial.asked.asked if one.is_given}


def _update(trial: Trial) -> None:
    for one in chosen(trial)[:ROUNDS]:
        values = changes(trial, one.instance)
        trial.call({**_key(trial, one.instance), **values})
        trial.proof.returned += 1
        _replace(trial, one, updated(trial, one.instance, values))
    _guarded(trial, lambda instance: {**_key(trial, instance), **changes(trial, instance)})


def _increment(trial: Trial) -> None:
    field, by = trial.pattern.field or "", trial.pattern.by
    for one in chosen(trial)[:ROUNDS]:
        before = (trial.read(one.instance, field) or [0])[0]
        answer = trial.call(_key(trial, one.instance))
        trial.proof.returned += 1
        if answer is not None and answer != before + by:
            trial.proof.disagrees(f"answers {answer}, and {before} + {by} is {before + by}")
        _replace(trial, one, with_value(one.instance, field, before + by))
    _guarded(trial, lambda instance: _key(trial, instance))


def _delete(trial: Trial) -> None:
    """Remove what has some item's values: all of it, and nothing else."""
    for _ in range(ROUNDS):
        found = chosen(trial)
        if not found:
            break
        values = _key(trial, found[0].instance)
        gone = [one for one in found if _key(trial, one.instance) == values]
        trial.call(values)
        trial.proof.returned += len(gone)
        for one in gone:
            trial.world.kept.remove(one)
            for item in one.items:
                trial.proof.expected += 1
                if trial.driver.stored(trial.object, item) is not None:
                    trial.proof.disagrees(f"{item!r} is still there"[:300])
        _untouched(trial)
        if not trial.pattern.where:
            trial.call(values, judged=False)


def _untouched(trial: Trial) -> None:
    """See that a write has left other items alone."""
    kept = trial.world.kept
    for one in trial.rng.sample(kept, min(OTHERS, len(kept))):
        for item in one.items[:1]:
            found = trial.driver.stored(trial.object, item)
            if found is None or not is_same(found, item):
                trial.proof.disagrees(f"another item was changed too: {item!r} is {found!r}"[:400])


def _replace(trial: Trial, one: Kept, instance: Any) -> None:
    """Note the new state of an instance, and hold the store against it."""
    _becomes(trial, one, instance)
    _expect(trial, one)
    _untouched(trial)


def _becomes(trial: Trial, one: Kept, instance: Any) -> None:
    made = trial.world.make(instance, one.seed)
    one.instance, one.items = made.instance, made.items


def _guarded(trial: Trial, values: Callable[[Any], dict[str, Any]]) -> None:
    """Where there are conditions on the item, one that does not fulfil them is not changed; nor is one made anew."""
    good = {id(one) for one in chosen(trial)}
    if trial.pattern.where and (bad := next((one for one in trial.world.kept if id(one) not in good), None)):
        _refused(trial, "changing an item that is not as the condition says", values(bad.instance))
        _expect(trial, bad)
    if trial.pattern.kind == "update" and trial.world.spares:
        absent = trial.world.make(trial.world.spares[-1])
        if trial.driver.stored(trial.object, absent.items[0]) is None:
            _refused(trial, "changing an item that is not there", values(absent.instance))
            if trial.driver.stored(trial.object, absent.items[0]) is not None:
                trial.proof.disagrees("changing an item that is not there made a part of one")


def changes(trial: Trial, instance: Any) -> dict[str, Any]:
    """New values for what an update sets or pushes: those of other instances, or made from the old ones."""
    pattern = trial.pattern
    found = {path: _other(trial, instance, path) for path in pattern.sets}
    if pattern.pushes is not None:
        found[pattern.pushes] = _pushed(trial, instance, pattern.pushes)
    return found


def _other(trial: Trial, instance: Any, path: str) -> Any:
    own = raw(instance, path)
    lenders = [*trial.world.spares, *trial.world.instances]
    return next((value for one in lenders if (value := raw(one, path)) is not None and value != own), own)


def _pushed(trial: Trial, instance: Any, path: str) -> Any:
    """An element of some instance's list; nothing longer than the list may be is proved here."""
    for one in [instance, *trial.world.instances, *trial.world.spares]:
        if elements := raw(one, path):
            return elements[0]
    return _sample(trial, path)


def _sample(trial: Trial, path: str) -> Any:
    found = resolve(trial.planned.binding.entity.attributes, path)
    kind: Type | None = element(found[-1].type) if found else None
    match kind:
        case Scalar(kind="integer" | "float" | "decimal"):
            return 1
        case Scalar():
            return "x"
        case Struct() | Many() | Map() | None:
            raise LookupError(f'no generated instance has an element in "{path}"')


def raw(instance: Any, path: str) -> Any:
    """A field's own value, as the model holds it; None where something on the way is."""
    for name in path.split("."):
        if instance is None:
            return None
        instance = getattr(instance, name)
    return instance


def with_value(instance: Any, path: str, value: Any) -> Any:
    """A copy of an instance with another value at a path."""
    name, _, rest = path.partition(".")
    inner = with_value(getattr(instance, name), rest, value) if rest else value
    return instance.model_copy(update={name: inner})


def updated(trial: Trial, instance: Any, values: dict[str, Any]) -> Any:
    """The instance after an update, as the model says."""
    for path, value in values.items():
        if path == trial.pattern.pushes:
            instance = with_value(instance, path, [*(raw(instance, path) or []), value])
        else:
            instance = with_value(instance, path, value)
    for path in trial.pattern.unset:
        instance = with_value(instance, path, None)
    return instance


def _transact(trial: Trial) -> None:
    """Do all writes together; then let one of them fail, and see that none was done."""
    subjects, expected = [], list[tuple[Trial, Kept, Any]]()
    for part in trial.parts:
        subject, states = _subject(part)
        if subject is None:
            trial.proof.disagrees(f'no generated item can be written by "{part.pattern.name}": raise --scale')
            return
        subjects.append(subject)
        expected += ((part, one, instance) for one, instance in states)
    trial.call(*subjects)
    trial.proof.returned += len(expected)
    for part, one, instance in expected:
        _becomes(part, one, instance)
    for part, one, _ in expected:
        _expect(part, one)
        _untouched(part)
        trial.proof.expected += len(one.items)
        for problem in part.proof.problems:
            trial.proof.disagrees(f"{part.pattern.name}: {problem}")
    if any(part.pattern.if_absent or part.pattern.where for part in trial.parts):
        _fails_whole(trial, subjects, expected)


def _subject(part: Trial) -> tuple[Any, list[tuple[Kept, Any]]]:
    """What is given for one write of a transaction, and what must be stored afterwards."""
    pattern = part.pattern
    if pattern.kind == "put":
        if not part.world.spares:
            return None, []
        instance = part.world.spares.pop(0)
        return instance, [(part.world.add(instance), instance)]
    found = chosen(part)[: max(1, pattern.batch)]
    if not found:
        return None, []
    match pattern.kind:
        case "update":
            new = [(one, changes(part, one.instance)) for one in found]
            given = [{**_key(part, one.instance), **values} for one, values in new]
            return given, [(one, updated(part, one.instance, values)) for one, values in new]
        case "increment":
            field = pattern.field or ""
            before = [(raw(one.instance, field) or 0, one) for one in found]
            states = [(one, with_value(one.instance, field, value + pattern.by)) for value, one in before]
            return [_key(part, one.instance) for one in found], states
        case _:
            return [_key(part, one.instance) for one in found], []


def _fails_whole(trial: Trial, subjects: list[Any], expected: list[tuple[Trial, Kept, Any]]) -> None:
    """The same again: what must be absent is there now, so nothing may change."""
    if not any(part.pattern.if_absent for part in trial.parts):
        return
    _refused(trial, "a transaction of which one write must fail", *subjects)
    for part, one, _ in expected:
        for item in one.items:
            found = part.driver.stored(part.object, item)
            if found is None or not is_same(found, item):
                trial.proof.disagrees(f"{part.pattern.name}: a transaction that failed changed {item!r}"[:300])


PROVERS: dict[str, Callable[[Trial], None]] = {
    "put": _put, "update": _update, "increment": _increment, "delete": _delete, "transact": _transact,
}  # fmt: skip
"""How each kind of writing pattern is proved."""
