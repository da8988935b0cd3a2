"""What a write left behind: held against the native items of the instance that the model says is there."""

from collections import Counter
from math import isclose
from typing import Any

from keywright.declare.names import names
from keywright.ir.entity import stored_path
from keywright.runtime.given import ConditionFailed
from keywright.sample.keys import partition_of

from .changes import raw, with_value
from .trial import Trial
from .values import holds
from .world import Kept

PRECISION = 1e-12
"""The share by which a sum in floating point may be another than Python's."""

OTHERS = 12
"""Further items that are looked at after each write: they must be as they were."""

DRAWS = 200
"""Draws among which every shard of a key comes up."""


def expect(trial: Trial, made: Kept) -> None:
    """Hold every native item of an instance against what the store has under its key."""
    if _is_drawn(trial, made):
        _somewhere(trial, made)
        return
    for item in made.items:
        trial.proof.expected += 1
        found = trial.driver.stored(trial.object, item)
        if found is None:
            trial.proof.disagrees(f"nothing is stored for {item!r}"[:300])
        elif not is_same(found, item):
            trial.proof.disagrees(f"stored is {differing(found, item)}")


def absent(trial: Trial, gone: Kept) -> None:
    """See that nothing is left of an instance."""
    for item in gone.items:
        trial.proof.expected += 1
        if trial.driver.stored(trial.object, item) is not None:
            trial.proof.disagrees(f"{item!r} is still there"[:300])


def is_same(found: Any, wanted: Any) -> bool:
    """Whether two native items are the same; a store keeps no order of an item's attributes."""
    return bool(found == wanted)


def differing(found: Any, wanted: Any) -> str:
    """What differs between two native items."""
    found, wanted = (getattr(one, "value", one) for one in (found, wanted))  # of Redis, where all else is the key
    if isinstance(found, dict) and isinstance(wanted, dict):
        names = [name for name in {**found, **wanted} if found.get(name) != wanted.get(name)]
        return ", ".join(f"{name}: {found.get(name)!r}, should be {wanted.get(name)!r}" for name in names)[:400]
    return f"{found!r}, should be {wanted!r}"[:400]


def _is_drawn(trial: Trial, made: Kept) -> bool:
    """Whether the key of a new item was drawn by the call, so that nobody else knows under which it stands."""
    return made.is_drawn and any(trial.world.make(made.instance, seed).items != made.items for seed in range(8))


def _somewhere(trial: Trial, made: Kept) -> None:
    """Look for an item under every key that may have been drawn for it, and note where it is."""
    for seed in range(DRAWS):
        other = trial.world.make(made.instance, seed)
        if trial.driver.stored(trial.object, other.items[0]) == other.items[0]:
            made.items, made.seed, made.is_drawn = other.items, seed, False
            trial.proof.expected += 1
            return
    trial.proof.disagrees(f"nothing is stored for {made.items[0]!r}, under whatever shard"[:300])


def untouched(trial: Trial) -> None:
    """See that a write has left other items alone."""
    kept = trial.world.kept
    for one in trial.rng.sample(kept, min(OTHERS, len(kept))):
        for item in one.items[:1]:
            found = trial.driver.stored(trial.object, item)
            if found is None or not is_same(found, item):
                trial.proof.disagrees(f"another item was changed too: {item!r} is {found!r}"[:400])


def becomes(trial: Trial, one: Kept, instance: Any) -> None:
    """Note the new state of an instance, and of those that share what a partition has once."""
    spec = trial.planned.binding.spec
    shared = {name: getattr(instance, name) for name in names(getattr(spec, "static", None))}
    made = trial.world.make(instance, one.seed)
    one.instance, one.items = made.instance, made.items
    for other in _beside(trial, one) if shared else ():
        made = trial.world.make(other.instance.model_copy(update=shared), other.seed)
        other.instance, other.items = made.instance, made.items


def _beside(trial: Trial, one: Kept) -> list[Kept]:
    """The other instances of its partition."""
    binding = trial.planned.binding
    columns = [stored_path(binding.entity.attributes, name) for name in partition_of(binding)]

    def partition(kept: Kept) -> list[object]:
        return [kept.items[0][name] for name in columns]

    return [kept for kept in trial.world.kept if kept is not one and partition(kept) == partition(one)]


def is_close(found: Any, wanted: Any) -> bool:
    """Whether two numbers are the same, those in floating point but for their last digits: servers add with more."""
    return bool(found == wanted) or (isinstance(wanted, float) and isclose(found, wanted, rel_tol=PRECISION))


def rounded(trial: Trial, one: Kept, field: str) -> None:
    """Write a sum in floating point as Python has it, where that of the store is the same but for its last digits."""
    wanted = raw(one.instance, field)
    if not isinstance(wanted, float):
        return
    for item in one.items:
        found = trial.driver.stored(trial.object, item)
        instance = None if found is None else trial.world.back(found, None)
        if instance is None or not is_close(raw(instance, field), wanted):
            continue
        if with_value(instance, field, wanted) == one.instance:
            trial.driver.load(trial.object, [item])


def refused(trial: Trial, what: str, *subjects: Any, **options: Any) -> None:
    """See that a call raises ConditionFailed.

    what: the call in words, as a problem is told.
    """
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


def alone(trial: Trial) -> list[Kept]:
    """The chosen ones that share the call's values with no other, if there are any.

    Of several shards of one whole, nobody knows which one a call draws.
    """
    given = [one.field for one in trial.asked.asked if one.is_given]

    def values(one: Kept) -> str:
        return repr([trial.read(one.instance, field) for field in given])

    found, counts = chosen(trial), Counter(values(one) for one in trial.world.kept)
    return [one for one in found if counts[values(one)] == 1] or found


def key(trial: Trial, instance: Any) -> dict[str, Any]:
    """The values by which a write finds an item."""
    return {one.field: trial.read(instance, one.field)[0] for one in trial.asked.asked if one.is_given}
