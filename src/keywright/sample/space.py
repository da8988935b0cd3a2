"""Spaces of values: the possible values of a field, numbered, and the seeds from which random values are derived."""

import hashlib
from collections.abc import Callable
from functools import lru_cache
from math import gcd
from random import Random

from keywright.record import Record


class Space(Record):
    """Different values, numbered from 0; the same number is always the same value."""

    size: int
    """Number of values."""
    at: Callable[[int], object]
    """The value of a number below the size."""
    usual: int
    """Random values have numbers below this, which limits them to plausible ones."""


def derive(*parts: object) -> int:
    """A 64-bit number that the parts determine; Python's own hash of text differs between processes."""
    text = "\x1f".join(map(str, parts))
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big")


def permuted(ordinal: int, size: int, key: int) -> int:
    """The ordinal's position in a pseudo-random order of the numbers below `size`."""
    factor, shift = _step(size, key)
    return (ordinal * factor + shift) % size


@lru_cache(maxsize=4096)
def _step(size: int, key: int) -> tuple[int, int]:
    """(factor without a common divisor with the size, shift)."""
    rng = Random(key)
    factor, shift = rng.randrange(size) or 1, rng.randrange(size)
    while gcd(factor, size) != 1:
        factor += 1
    return factor, shift
