"""Slots for key fields: an instance's index is split into digits, one for each field that distinguishes instances."""

import math
from collections.abc import Iterable, Mapping

from keywright.record import Record


class FieldChoice(Record):
    """The possible values of a key field."""

    size: int
    """Number of different values."""
    is_free: bool
    """Whether it can plausibly differ in every instance: an identifier or a time."""
    is_moment: bool
    """Whether it is a time, which distinguishes instances only if no identifier does."""
    via: tuple[str, str] | None
    """(entity, path) of the key that it refers to."""


class FieldSlot(Record):
    """The digit of an instance's index that determines a field."""

    stride: int
    """Number of consecutive instances with the same digit."""
    size: int
    """Number of different digits."""
    via: tuple[str, str] | None
    """(entity, path) of the key that a reference's digit counts."""

    def ordinal(self, index: int) -> int:
        """The digit."""
        return index // self.stride % self.size

    def used(self, count: int) -> int:
        """Number of digits that `count` instances use."""
        return max(1, min(self.size, -(-count // self.stride)))


def assign(
    keys: Iterable[frozenset[str]], choices: Mapping[str, FieldChoice], count: int
) -> tuple[int, dict[str, FieldSlot]]:
    """(number of instances, slot of each distinguishing field), so that no two instances have an equal key.

    keys: the fields of each key, the shortest first. count: the requested number of instances.
    """
    slots: dict[str, FieldSlot] = {}
    done: list[frozenset[str]] = []
    for key in keys:
        if any(fields <= key for fields in done):
            continue
        done.append(key)
        count = _distinguish(key, choices, slots, count)
        done += (frozenset({path}) for path in key if path in slots and _is_enough(slots[path], count))
    return count, slots


def _is_enough(slot: FieldSlot, count: int) -> bool:
    return slot.stride == 1 and slot.size >= count


def _distinguish(
    key: frozenset[str], choices: Mapping[str, FieldChoice], slots: dict[str, FieldSlot], count: int
) -> int:
    """Assign slots to fields of the key; returns the number of instances that the key then distinguishes."""
    open_paths = sorted(key - slots.keys())
    free = [path for path in open_paths if choices[path].is_free and choices[path].size >= count]
    if free:
        carrier = min(free, key=lambda path: choices[path].is_moment)
        slots[carrier] = FieldSlot(1, count, choices[carrier].via)
        return count
    if len(open_paths) == len(key):
        return _grid(open_paths, choices, slots, count)
    if open_paths:
        widest = max(open_paths, key=lambda path: choices[path].size)
        slots[widest] = FieldSlot(1, choices[widest].size, choices[widest].via)
        return min(count, choices[widest].size)
    # Other keys have slots for all of its fields, so its fastest digit limits the number of instances.
    return min(count, max((slots[path].size for path in key if slots[path].stride == 1), default=1))


def _grid(paths: list[str], choices: Mapping[str, FieldChoice], slots: dict[str, FieldSlot], count: int) -> int:
    """Give every field a similar number of values, as far as it has them."""
    remaining, stride = count, 1
    for at, path in enumerate(sorted(paths, key=lambda path: choices[path].size)):
        size = min(choices[path].size, _root(remaining, len(paths) - at))
        slots[path] = FieldSlot(stride, size, choices[path].via)
        stride, remaining = stride * size, -(-remaining // max(1, size))
    return min(count, stride)


def _root(number: int, degree: int) -> int:
    """The smallest whole number whose power is not below the number."""
    root = max(1, round(math.pow(number, 1 / degree)))
    while root**degree < number:
        root += 1
    while root > 1 and (root - 1) ** degree >= number:
        root -= 1
    return root
