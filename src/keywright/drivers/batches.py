"""Splits items into batches."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

T = TypeVar("T")


def batches(items: Iterable[T], size: int) -> Iterator[tuple[T, ...]]:
    """The items in tuples of `size`, the last one perhaps shorter; only one tuple is in memory."""
    iterator = iter(items)
    while batch := tuple(islice(iterator, size)):
        yield batch
