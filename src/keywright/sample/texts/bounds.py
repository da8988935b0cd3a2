"""What a text must be: the bounds of its field, and the name by which its kind is guessed."""

from dataclasses import dataclass
from datetime import datetime

from keywright.ir.attribute import Scalar


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a text must be."""

    field: str
    """Name of its field, by which its kind is guessed."""
    key: int
    """Determines which values there are; equal fields of several entities share it."""
    low: int
    """Characters at the least."""
    high: int | None
    """Characters at the most."""
    typical: int | None
    """Characters of a typical one, where it is known."""
    is_label: bool
    """Whether different numbers must give different texts, as for keys and for pools of few values."""
    is_personal: bool
    """Whether it is about a person."""
    today: datetime
    """The last day that a text may name."""

    def holds(self, shortest: int, longest: int) -> bool:
        """Whether texts of these lengths are all within the bounds."""
        return self.low <= shortest and (self.high is None or longest <= self.high)

    @property
    def words(self) -> frozenset[str]:
        """The words of the field's name."""
        return frozenset(self.field.lower().split("_"))


def wanted(scalar: Scalar, field: str, key: int, is_label: bool, today: datetime) -> Wanted:
    """What a field's type, bounds and facts say of its text."""
    facts = scalar.facts
    tops = [most for most in (scalar.max_length, facts.max_bytes) if most is not None]
    high = min(tops) if tops else None
    low = max(scalar.min_length or 0, 0 if high == 0 else 1)
    typical = facts.average_bytes
    if typical is not None:
        typical = max(low, typical if high is None else min(typical, high))
    return Wanted(field, key, low, high, typical, is_label, facts.is_personal, today)
