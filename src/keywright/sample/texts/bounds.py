"""Constraints of a text: the bounds of its field, and the name that suggests its kind."""

from datetime import datetime

from keywright.ir.attribute import Scalar
from keywright.record import Record


class TextBounds(Record):
    """Constraints of a text."""

    field: str
    """Name of its field, which suggests its kind."""
    key: int
    """Seed of the values; equal fields of several entities share it."""
    low: int
    """The least number of characters."""
    high: int | None
    """The greatest number of characters."""
    typical: int | None
    """Typical number of characters, if known."""
    is_label: bool
    """Whether different numbers must give different texts, as for keys and for pools of few values."""
    is_personal: bool
    """Whether it is about a person."""
    today: datetime
    """The last day that a text can contain."""

    def allows(self, shortest: int, longest: int) -> bool:
        """Whether all texts of these lengths are within the bounds."""
        return self.low <= shortest and (self.high is None or longest <= self.high)

    @property
    def words(self) -> frozenset[str]:
        """The words of the field's name."""
        return frozenset(self.field.lower().split("_"))


def bounds_of(scalar: Scalar, field: str, key: int, is_label: bool, today: datetime) -> TextBounds:
    """The constraints of a field's type, bounds and facts on its text."""
    facts = scalar.facts
    tops = [most for most in (scalar.max_length, facts.max_bytes) if most is not None]
    high = min(tops) if tops else None
    low = max(scalar.min_length or 0, 0 if high == 0 else 1)
    typical = facts.average_bytes
    if typical is not None:
        typical = max(low, typical if high is None else min(typical, high))
    return TextBounds(field, key, low, high, typical, is_label, facts.is_personal, today)
