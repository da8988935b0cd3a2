"""Differences between two native descriptions, path by path."""

from collections.abc import Iterator
from dataclasses import dataclass

from keywright.ir.json import Json


@dataclass(frozen=True, slots=True)
class Difference:
    """One value that differs."""

    path: tuple[str, ...]
    """Where, from the top of the native half."""
    wanted: Json
    """What the target says; None if it says nothing."""
    found: Json
    """What is there; None if nothing is."""


def differences(wanted: Json, found: Json, path: tuple[str, ...] = ()) -> Iterator[Difference]:
    """The smallest parts that differ, in the order of their paths."""
    if isinstance(wanted, dict) and isinstance(found, dict):
        for key in sorted(wanted.keys() | found.keys()):
            yield from differences(wanted.get(key), found.get(key), (*path, key))
    elif wanted != found:
        yield Difference(path, wanted, found)
