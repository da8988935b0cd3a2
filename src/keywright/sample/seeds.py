"""Numbers that follow from names alone: the same in every process, whatever else a design declares."""

import hashlib
from functools import lru_cache
from math import gcd
from random import Random


def derive(*parts: object) -> int:
    """A number of 64 bits that the parts determine; Python's own hash of text differs between processes."""
    text = "\x1f".join(map(str, parts))
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big")


def permuted(ordinal: int, size: int, key: int) -> int:
    """The ordinal's place in an order that looks drawn: each number below `size` is the place of one ordinal."""
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
