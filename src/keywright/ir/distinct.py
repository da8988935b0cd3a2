"""Different values in the order of their first occurrence."""

from collections.abc import Iterable
from typing import TypeVar

V = TypeVar("V")


def distinct(values: Iterable[V]) -> list[V]:
    """The values without repetitions; dictionaries, sets and models, which have no hash, are compared one by one."""
    values = list(values)
    try:
        return list(dict.fromkeys(values))
    except TypeError:
        return [value for place, value in enumerate(values) if value not in values[:place]]
