"""Projections of wildcard indexes, in the one form in which declared and live ones are compared.

A server accepts nested documents, truth values and any order, and treats the forms as one index.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from .fields import ID

Projection = tuple[tuple[str, int], ...]


def normal(paths: Iterable[tuple[str, int]]) -> Projection:
    """The projection without `_id: 0`, which is the default."""
    return tuple(sorted(pair for pair in paths if pair != (ID, 0)))


def flat(reported: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, int]]:
    """(path, 1 or 0) of each field of a reported projection."""
    for name, value in reported.items():
        if isinstance(value, Mapping):
            yield from flat(value, f"{above}{name}.")
        else:
            yield f"{above}{name}", int(bool(value))


def contains(projection: Projection, path: str) -> bool:
    """Whether a wildcard index contains the values at a path."""
    flags = {flag for name, flag in projection if name != ID}
    named = any(f"{path}.".startswith(f"{name}.") for name, _ in projection)
    return named == (1 in flags) if flags else not projection or named
