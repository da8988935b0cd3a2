"""Conditions on a number before an increment that keep it within the bounds of its field."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

from keywright.ir.attribute import Scalar
from keywright.ir.binding import Binding
from keywright.ir.entity import element, resolve
from keywright.record import Record, replace

from .limits import LimitOf, StoreLimit


class IncrementBounds(Record):
    """The condition of one increment."""

    is_upper: bool
    """Whether the bound is an upper one; else it is a lower one."""
    bound: Any
    """The last number from which the step stays within the bounds of the field."""
    is_open: bool
    """Whether the bound itself is excluded."""
    has_zero: bool
    """Whether a missing number, which counts as zero, meets the condition."""

    def holds(self, number: Any) -> bool:
        """Whether a number stays within the bounds of its field after the increment."""
        if number == self.bound:
            return not self.is_open
        return bool(number < self.bound) is self.is_upper


def room_of(binding: Binding, path: str, limit_of: LimitOf | None = None) -> Callable[[Any], IncrementBounds | None]:
    """A function from the step of an increment to its condition; None for a field without a bound on that side.

    limit_of: the store's limits of whole numbers, beyond which the server would raise its own error.
    """
    attributes = resolve(binding.entity.attributes, path)
    kind = element(attributes[-1].type) if attributes else None
    if isinstance(kind, Scalar) and kind.kind == "integer" and limit_of is not None:
        kind = _within_store(kind, limit_of(binding, path, kind))
    if not isinstance(kind, Scalar) or (kind.minimum is None and kind.maximum is None):
        return lambda by: None
    convert = {"integer": int, "decimal": Decimal}.get(kind.kind, float)

    def room(by: Any) -> IncrementBounds | None:
        step = _exact(by, convert)
        if step > 0 and kind.maximum is not None:
            maximum = _exact(kind.maximum, convert)
            is_within = step < maximum if kind.excludes_maximum else step <= maximum
            return IncrementBounds(True, maximum - step, kind.excludes_maximum, is_within)
        if step < 0 and kind.minimum is not None:
            minimum = _exact(kind.minimum, convert)
            is_within = step > minimum if kind.excludes_minimum else step >= minimum
            return IncrementBounds(False, minimum - step, kind.excludes_minimum, is_within)
        return None

    return room


def _within_store(kind: Scalar, limit: StoreLimit | None) -> Scalar:
    """The type with the bounds of the store where it has no bounds."""
    if limit is None:
        return kind
    low = limit.low if kind.minimum is None else kind.minimum
    high = limit.high if kind.maximum is None else kind.maximum
    return replace(kind, minimum=low, maximum=high)


def _exact(number: Any, convert: Callable[[Any], Any]) -> Any:
    return convert(str(number)) if convert is Decimal else convert(number)
