"""Costs of one call, as bands: exact for exact sizes, and with the missing bounds otherwise."""

import math

from keywright.record import Record, field


class Band(Record):
    """A figure with its bounds, as far as they are known."""

    low: float
    """The least value."""
    expected: float | None
    """The usual value; None if unknown."""
    high: float | None
    """The greatest value; None if unbounded."""
    missing: frozenset[str] = frozenset()
    """Declarations that would close the band, such as `Order.note: Field(max_length=)` or `limit=`."""

    @property
    def is_exact(self) -> bool:
        """Whether it is one figure."""
        return self.low == self.high

    def __add__(self, other: "Band") -> "Band":
        return Band(
            self.low + other.low,
            None if self.expected is None or other.expected is None else self.expected + other.expected,
            None if self.high is None or other.high is None else self.high + other.high,
            self.missing | other.missing,
        )

    def __mul__(self, other: "Band | float") -> "Band":
        other = other if isinstance(other, Band) else exactly(other)
        return Band(
            self.low * other.low,
            None if self.expected is None or other.expected is None else self.expected * other.expected,
            None if self.high is None or other.high is None else self.high * other.high,
            self.missing | other.missing,
        )

    def ceil(self, unit: float, least: float = 1) -> "Band":
        """Size in whole units, rounded up, at least `least`, as stores charge bytes."""

        def units(value: float) -> float:
            return max(least, math.ceil(value / unit))

        return Band(
            units(self.low),
            None if self.expected is None else units(self.expected),
            None if self.high is None else units(self.high),
            self.missing,
        )

    def up_to(self, most: float) -> "Band":
        """The band with a cap of its own; then only the declarations for the usual value are missing."""
        return Band(
            min(self.low, most),
            None if self.expected is None else min(self.expected, most),
            most if self.high is None else min(self.high, most),
            self.missing if self.expected is None else frozenset(),
        )

    def widest(self, other: "Band") -> "Band":
        """From the lower low to the higher high; expected is this one's."""
        high = None if self.high is None or other.high is None else max(self.high, other.high)
        return Band(min(self.low, other.low), self.expected, high, self.missing | other.missing)


def exactly(value: float) -> Band:
    """The band of an exact figure."""
    return Band(value, value, value)


def total(bands: "list[Band] | tuple[Band, ...]") -> Band:
    """The sum of some bands; 0 for none."""
    sum_of_bands = exactly(0)
    for band in bands:
        sum_of_bands = sum_of_bands + band
    return sum_of_bands


def any_of(bands: list[Band]) -> Band:
    """The figure of one of some things: from the lowest low to the highest high, usually the mean."""
    usual = [band.expected for band in bands if band.expected is not None]
    expected = sum(usual) / len(bands) if len(usual) == len(bands) else None
    highs = [band.high for band in bands if band.high is not None]
    high = max(highs) if len(highs) == len(bands) else None
    missing = frozenset[str]().union(*(band.missing for band in bands))
    return Band(min(band.low for band in bands), expected, high, missing)


NOTHING = exactly(0)
ONE = exactly(1)


class Cost(Record):
    """The cost of one call."""

    unit: str
    """The unit of price or load: `RCU`, `WCU`, `documents`, `rows`, `elements`."""
    units: Band
    """Number of units."""
    examined: Band = NOTHING
    """Items, documents, rows or elements that are read."""
    returned: Band = NOTHING
    """Items, documents, rows or elements that are returned."""
    examined_bytes: Band = NOTHING
    """Bytes that are read."""
    returned_bytes: Band = NOTHING
    """Bytes that are returned."""
    round_trips: Band = ONE
    """Sequential requests."""
    partitions: int = 1
    """Partitions, keys or shards that are accessed."""
    arms: tuple[tuple[str, Band], ...] = field(default=())
    """Units by charged object: the table first, with an empty name, then each index."""
    complexity: str = ""
    """The vendor's documented complexity of the command, such as `O(log(N)+M)`; empty if there is none."""

    @property
    def missing(self) -> frozenset[str]:
        """Declarations that would close the band of the units."""
        return self.units.missing
