"""The expected contents of a scratch store: the stored instances of each binding, and spare ones for writes."""

import random
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from keywright.ir.binding import Binding
from keywright.runtime.items.codec import Codec

ROUNDS = 2
"""Items on which each write pattern is proved."""


@contextmanager
def drawing(seed: int) -> Iterator[None]:
    """Make the random shards of keys follow from the seed inside this context."""
    state = random.getstate()
    random.seed(seed)
    try:
        yield
    finally:
        random.setstate(state)


@dataclass(slots=True)
class StoredInstance:
    """An instance and its native items."""

    instance: Any
    """The instance as the store returns it, after any loss in its types."""
    items: list[Any]
    """Its native items."""
    seed: int
    """Seed of the shards in its keys, with which its items can be made again."""
    is_drawn: bool = False
    """Whether a call has drawn the shards, so that the seed is not known yet."""


@dataclass(slots=True)
class Dataset:
    """The part of a scratch store that belongs to one binding."""

    binding: Binding
    """The entity in its store."""
    codec: Codec[Any]
    """Codec of the binding."""
    stored: list[StoredInstance] = field(default_factory=list)
    """Stored instances, in the order in which they were written."""
    spares: list[Any] = field(default_factory=list)
    """Instances that are not stored."""
    used: Counter[Hashable] = field(default_factory=Counter)
    """Entries that a consumer group has acknowledged, or permits that a caller has used, in earlier proofs."""

    @property
    def instances(self) -> list[Any]:
        """The instances in the store."""
        return [stored.instance for stored in self.stored]

    def make(self, instance: Any, seed: int | None = None) -> StoredInstance:
        """The stored form of an instance; its shards follow from the seed, by default a new one."""
        seed = seed if seed is not None else len(self.stored) + 1
        with drawing(seed):
            items = self.codec.to_items(instance)
        return StoredInstance(self.back(items[0], instance), items, seed)

    def add(self, instance: Any, *, is_drawn: bool = False) -> StoredInstance:
        """Record an instance as stored.

        is_drawn: a call has written the instance and drawn the shards of its keys.
        """
        stored = self.make(instance)
        stored.is_drawn = is_drawn
        self.stored.append(stored)
        return stored

    def back(self, item: Any, fallback: Any) -> Any:
        """The instance of a stored item; `fallback` for structures without instances, such as counts."""
        try:
            return self.codec.from_item(item)
        except (TypeError, ValueError, LookupError):
            return fallback


def dataset_of(binding: Binding, codec: Codec[Any], instances: Iterable[Any], puts: int = 1) -> Dataset:
    """Instances of a binding to load, and spares: enough for `puts` patterns and one more, but at most a third.

    Seeds count from 1 in the order of the items.
    """
    loaded = list(instances)
    spares = min(ROUNDS * max(puts, 1) + 1, len(loaded) // 3)
    dataset = Dataset(binding, codec, spares=loaded[len(loaded) - spares :])
    for instance in loaded[: len(loaded) - spares]:
        dataset.add(instance)
    return dataset


def items(dataset: Dataset) -> Iterator[Any]:
    """Native items of all stored instances."""
    for stored_instance in dataset.stored:
        yield from stored_instance.items
