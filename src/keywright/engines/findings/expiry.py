"""Expiry of an entity's items, wherever it is declared: a field, an option of the store, or an index of the store."""

from collections.abc import Iterator
from typing import Any

from keywright.declare.names import ordered
from keywright.ir.binding import Binding

_OPTIONS = ("ttl", "per", "keep")
"""Options of stores that limit the lifetime of items."""


def lifetime(binding: Binding[Any]) -> float | None:
    """Seconds after which an item expires by an option of its store; None without such an option."""
    for option in _OPTIONS:
        duration = getattr(binding.spec, option, None)
        if duration is not None and hasattr(duration, "total_seconds"):
            return float(duration.total_seconds())
    return None


def is_expiring(binding: Binding[Any]) -> bool:
    """Whether items expire, or entries are trimmed."""
    has_option = any(getattr(binding.spec, option, None) for option in _OPTIONS)
    return has_option or bool(expiring_fields(binding))


def expiring_fields(binding: Binding[Any], *, with_partial: bool = True) -> dict[str, float]:
    """Seconds after the time in a field at which items expire, by path of the field.

    with_partial: whether indexes of some items count.
    """
    field = binding.entity.ttl
    own = {field.name: float(field.ttl_after_seconds or 0)} if field is not None else {}
    return {**dict(_of_indexes(binding, with_partial=with_partial)), **own}


def _of_indexes(binding: Binding[Any], *, with_partial: bool) -> Iterator[tuple[str, float]]:
    for index in getattr(binding.spec, "indexes", ()):
        time = getattr(index, "expire_after", None)
        if time is not None and (with_partial or not (index.where or index.any_of)):
            yield ordered(index.keys)[0], time.total_seconds()
