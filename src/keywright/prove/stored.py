"""The stored items after a write, compared with the native items of the expected instance."""

from collections import Counter
from math import isclose
from typing import Any

from keywright.declare.names import names
from keywright.ir.entity import stored_path
from keywright.runtime.validate.arguments import ConditionFailed
from keywright.sample.keys import partition_of

from .changes import raw, with_value
from .dataset import StoredInstance
from .masking import differing
from .proof_case import ProofCase
from .values import holds

PRECISION = 1e-12
"""Relative difference up to which a floating-point sum equals Python's."""

OTHERS = 12
"""Other items that are read after each write and must be unchanged."""

DRAWS = 200
"""Seeds to try until every shard of a key has been drawn."""


def expect_stored(trial: ProofCase, stored: StoredInstance) -> None:
    """Compare every native item of an instance with the store."""
    if _is_drawn(trial, stored):
        _locate(trial, stored)
        return
    for item in stored.items:
        trial.proof.expected += 1
        actual = trial.driver.stored(trial.object, item)
        if actual is None:
            trial.proof.disagrees(f"nothing is stored for {trial.shown(item)}")
        elif not is_same(actual, item):
            trial.proof.disagrees(f"stored is {differing(trial.planned.binding, actual, item)}")


def expect_absent(trial: ProofCase, stored: StoredInstance) -> None:
    """Report items of a deleted instance that are still stored."""
    for item in stored.items:
        trial.proof.expected += 1
        if trial.driver.stored(trial.object, item) is not None:
            trial.proof.disagrees(f"{trial.shown(item)} is still stored")


def is_same(actual: Any, expected: Any) -> bool:
    """Whether two native items are equal, in any order of attributes."""
    return bool(actual == expected)


def _is_drawn(trial: ProofCase, stored: StoredInstance) -> bool:
    """Whether the call drew the key of a new item, so that its key is unknown."""
    return stored.is_drawn and any(trial.dataset.make(stored.instance, seed).items != stored.items for seed in range(8))


def _locate(trial: ProofCase, stored: StoredInstance) -> None:
    """Read an item under every key that may have been drawn for it, and record the key that is used."""
    for seed in range(DRAWS):
        other = trial.dataset.make(stored.instance, seed)
        if trial.driver.stored(trial.object, other.items[0]) == other.items[0]:
            stored.items, stored.seed, stored.is_drawn = other.items, seed, False
            trial.proof.expected += 1
            return
    trial.proof.disagrees(f"nothing is stored for {trial.shown(stored.items[0])}, under any shard")


def expect_unchanged(trial: ProofCase) -> None:
    """Report other items that a write has changed."""
    instances = trial.dataset.stored
    for stored_instance in trial.rng.sample(instances, min(OTHERS, len(instances))):
        for item in stored_instance.items[:1]:
            actual = trial.driver.stored(trial.object, item)
            if actual is None or not is_same(actual, item):
                trial.proof.disagrees(f"another item was changed too: {trial.shown(item)} is {trial.shown(actual)}")


def record_state(trial: ProofCase, stored_instance: StoredInstance, instance: Any) -> None:
    """Record the new state of an instance, and the static fields that it shares with its partition."""
    spec = trial.planned.binding.spec
    shared = {name: getattr(instance, name) for name in names(getattr(spec, "static", None))}
    stored = trial.dataset.make(instance, stored_instance.seed)
    stored_instance.instance, stored_instance.items = stored.instance, stored.items
    for other in _same_partition(trial, stored_instance) if shared else ():
        stored = trial.dataset.make(other.instance.model_copy(update=shared), other.seed)
        other.instance, other.items = stored.instance, stored.items


def _same_partition(trial: ProofCase, stored: StoredInstance) -> list[StoredInstance]:
    """The other instances of the same partition."""
    binding = trial.planned.binding
    columns = [stored_path(binding.entity.attributes, name) for name in partition_of(binding)]

    def partition(stored_instance: StoredInstance) -> list[object]:
        return [stored_instance.items[0][name] for name in columns]

    return [other for other in trial.dataset.stored if other is not stored and partition(other) == partition(stored)]


def is_close(actual: Any, expected: Any) -> bool:
    """Whether two numbers are equal; floats up to `PRECISION`, because servers add with more digits."""
    return bool(actual == expected) or (isinstance(expected, float) and isclose(actual, expected, rel_tol=PRECISION))


def store_rounded(trial: ProofCase, stored: StoredInstance, field: str) -> None:
    """Store Python's floating-point sum in place of one that differs only in its last digits."""
    expected = raw(stored.instance, field)
    if not isinstance(expected, float):
        return
    for item in stored.items:
        actual = trial.driver.stored(trial.object, item)
        instance = None if actual is None else trial.dataset.back(actual, None)
        if instance is None or not is_close(raw(instance, field), expected):
            continue
        if with_value(instance, field, expected) == stored.instance:
            trial.driver.load(trial.object, [item])


def expect_rejected(trial: ProofCase, description: str, *subjects: Any, **options: Any) -> None:
    """Call the pattern, and report a call that does not raise ConditionFailed.

    description: the call in words, for the problem.
    """
    try:
        trial.call(*subjects, verify=False, **options)
    except ConditionFailed:
        return
    trial.proof.disagrees(f"{description} is not rejected")


def eligible(trial: ProofCase) -> list[StoredInstance]:
    """Stored instances that meet a write's conditions and have all values that a call needs."""
    query = trial.query
    guards = [condition for condition in query.conditions if condition.constants is not None]
    return [
        stored
        for stored in trial.dataset.stored
        if all(holds(stored.instance, guard, guard.constants or (), trial.read) for guard in guards)
        and all(trial.read(stored.instance, condition.field) for condition in query.conditions if condition.is_given)
    ]


def unambiguous(trial: ProofCase) -> list[StoredInstance]:
    """Eligible instances whose values no other instance has; all eligible instances if there are none.

    If several shards share the values, the shard that a call draws is unknown.
    """
    fields = [condition.field for condition in trial.query.conditions if condition.is_given]

    def values(stored: StoredInstance) -> str:
        return repr([trial.read(stored.instance, field) for field in fields])

    candidates, counts = eligible(trial), Counter(values(stored_instance) for stored_instance in trial.dataset.stored)
    return [stored_instance for stored_instance in candidates if counts[values(stored_instance)] == 1] or candidates


def key(trial: ProofCase, instance: Any) -> dict[str, Any]:
    """The values by which a write selects an item."""
    return {
        condition.field: trial.read(instance, condition.field)[0]
        for condition in trial.query.conditions
        if condition.is_given
    }
