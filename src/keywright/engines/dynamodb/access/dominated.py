"""Paths that another one serves as well and for less, whatever sizes are."""

from keywright.access.path import AccessPath

from .calls import Query


def worse(path: AccessPath, other: AccessPath) -> str | None:
    """What a path does beyond another one that serves as well; None where their costs must tell."""
    if path.fan_out < other.fan_out or path.by.kind == "table":
        return None
    if not set(path.residual) >= set(other.residual):
        return None
    if is_fetching(path) and not is_fetching(other):
        return "it reads each item a second time, which"
    if set(path.residual) > set(other.residual) and is_fetching(path) == is_fetching(other):
        return "it filters what it reads, which"
    is_smaller = isinstance(path.call, Query) and path.call.is_narrow
    is_same = path.by.kind == "lsi" and other.by.kind == "table" and not is_smaller
    return "it needs an index, which" if is_same else None


def is_fetching(path: AccessPath) -> bool:
    """Whether items are read from the table after entries of an index."""
    return isinstance(path.call, Query) and (path.call.fetches or path.call.is_completed)
