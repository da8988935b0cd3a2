"""Items in batches, without holding more than one."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

T = TypeVar("T")


def batches(items: Iterable[T], size: int) -> Iterator[tuple[T, ...]]:
    """The items in tuples of `size`, the last one perhaps shorter."""
    rest = iter(items)
    while batch := tuple(islice(rest, size)):
        yield batch
