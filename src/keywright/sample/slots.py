"""Numbers for the fields of keys: an instance's index is written in digits, one for each field that tells it apart."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Choice:
    """What a field of a key may take."""

    size: int
    """How many different values."""
    is_free: bool
    """Whether it can be different in every instance without looking odd: an identifier or a moment."""
    is_moment: bool
    """Whether it is a moment, which tells apart only where no identifier does."""
    via: tuple[str, str] | None
    """(entity, path) of the key that it refers to."""


@dataclass(frozen=True, slots=True)
class Slot:
    """The digit that a field takes from an instance's index."""

    stride: int
    """How many neighbours share it."""
    size: int
    """How many different digits there are."""
    via: tuple[str, str] | None
    """(entity, path) of the key that the digit counts, of a reference."""

    def ordinal(self, index: int) -> int:
        """The digit."""
        return index // self.stride % self.size

    def used(self, count: int) -> int:
        """The digits that so many instances have."""
        return max(1, min(self.size, -(-count // self.stride)))


def assign(keys: Iterable[frozenset[str]], choices: Mapping[str, Choice], wanted: int) -> tuple[int, dict[str, Slot]]:
    """(how many instances, the slot of each field that tells them apart), so that no two share any of the keys.

    keys: the fields of each key, the shortest first.
    """
    slots: dict[str, Slot] = {}
    done: list[frozenset[str]] = []
    count = wanted
    for key in keys:
        if any(one <= key for one in done):
            continue
        done.append(key)
        count = _tell_apart(key, choices, slots, count)
        done += (frozenset({path}) for path in key if path in slots and _is_enough(slots[path], count))
    return count, slots


def _is_enough(slot: Slot, count: int) -> bool:
    return slot.stride == 1 and slot.size >= count


def _tell_apart(key: frozenset[str], choices: Mapping[str, Choice], slots: dict[str, Slot], count: int) -> int:
    """Give fields of the key slots; how many instances it can tell apart then."""
    open_paths = sorted(key - slots.keys())
    free = [path for path in open_paths if choices[path].is_free and choices[path].size >= count]
    if free:
        carrier = min(free, key=lambda path: choices[path].is_moment)
        slots[carrier] = Slot(1, count, choices[carrier].via)
        return count
    if len(open_paths) == len(key):
        return _grid(open_paths, choices, slots, count)
    if open_paths:
        widest = max(open_paths, key=lambda path: choices[path].size)
        slots[widest] = Slot(1, choices[widest].size, choices[widest].via)
        return min(count, choices[widest].size)
    # all of its fields tell other keys apart: as many instances as its fastest digit has values
    return min(count, max((slots[path].size for path in key if slots[path].stride == 1), default=1))


def _grid(paths: list[str], choices: Mapping[str, Choice], slots: dict[str, Slot], count: int) -> int:
    """Every field gets about as many values as the others, as far as it has them."""
    rest, stride = count, 1
    for at, path in enumerate(sorted(paths, key=lambda path: choices[path].size)):
        size = min(choices[path].size, _root(rest, len(paths) - at))
        slots[path] = Slot(stride, size, choices[path].via)
        stride, rest = stride * size, -(-rest // max(1, size))
    return min(count, stride)


def _root(number: int, degree: int) -> int:
    """The smallest whole number whose power is not below the number."""
    root = max(1, round(math.pow(number, 1 / degree)))
    while root**degree < number:
        root += 1
    while root > 1 and (root - 1) ** degree >= number:
        root -= 1
    return root
