"""A space of values: all that a field may hold, numbered, so that a key is a count and a free value a draw."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Space:
    """Different values, numbered from 0; the same number is always the same value."""

    size: int
    """How many there are."""
    at: Callable[[int], object]
    """The value of a number below the size."""
    usual: int
    """Free values have numbers below this: what is plausible, of all that is possible."""
