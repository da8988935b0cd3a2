"""What a scratch store holds, as Python knows it: the instances of each binding, and some kept back to be written."""

import random
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from keywright.ir.binding import Binding
from keywright.runtime.codec import Codec

ROUNDS = 2
"""Items that each writing pattern is proved on."""


@contextmanager
def drawing(seed: int) -> Iterator[None]:
    """Here what keys draw follows from the seed."""
    state = random.getstate()
    random.seed(seed)
    try:
        yield
    finally:
        random.setstate(state)


@dataclass(slots=True)
class Kept:
    """One instance and how it is stored."""

    instance: Any
    """As the store gives it back: what its types do not hold is lost already."""
    items: list[Any]
    """Its native items."""
    seed: int
    """What decides the shards that its keys draw, so that its items can be made again."""
    is_drawn: bool = False
    """Whether a call has drawn them, so that nobody knows the seed yet."""


@dataclass(slots=True)
class World:
    """One binding's part of a scratch store."""

    binding: Binding
    """The entity in its store."""
    codec: Codec[Any]
    """Its codec."""
    kept: list[Kept] = field(default_factory=list)
    """What is in the store, in the order in which it was written."""
    spares: list[Any] = field(default_factory=list)
    """Instances that are not."""

    @property
    def instances(self) -> list[Any]:
        """The instances in the store."""
        return [one.instance for one in self.kept]

    def make(self, instance: Any, seed: int | None = None) -> Kept:
        """An instance as it is stored; its shards are drawn anew, or as they were with that seed."""
        seed = seed if seed is not None else len(self.kept) + 1
        with drawing(seed):
            items = self.codec.to_items(instance)
        return Kept(self.back(items[0], instance), items, seed)

    def add(self, instance: Any, *, is_drawn: bool = False) -> Kept:
        """Note an instance as stored.

        is_drawn: a call has written it, and has drawn what its keys draw.
        """
        made = self.make(instance)
        made.is_drawn = is_drawn
        self.kept.append(made)
        return made

    def back(self, item: Any, otherwise: Any) -> Any:
        """The instance that the store gives back; the other one for structures that hold none, such as counts."""
        try:
            return self.codec.from_item(item)
        except (TypeError, ValueError, LookupError):
            return otherwise


def world(binding: Binding, codec: Codec[Any], instances: Iterable[Any], puts: int = 1) -> World:
    """What is to be loaded of a binding, and what is kept back to be written: enough for so many patterns that put, and
    one more; of few instances, a third at the most. The seed of the first item is one, and so on.
    """
    found = list(instances)
    spares = min(ROUNDS * max(puts, 1) + 1, len(found) // 3)
    made = World(binding, codec, spares=found[len(found) - spares :])
    for instance in found[: len(found) - spares]:
        made.add(instance)
    return made


def items(made: World) -> Iterator[Any]:
    """Everything that is loaded."""
    for one in made.kept:
        yield from one.items
