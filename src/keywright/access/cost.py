"""Costs of one call, as bands: exact where sizes are, and saying which bound is missing where they are not."""

import math
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Band:
    """A figure of which the ends are known, or not."""

    low: float
    """The least it can be."""
    expected: float | None
    """What it usually is; None where nothing says so."""
    high: float | None
    """The most it can be; None where nothing bounds it."""
    missing: frozenset[str] = frozenset()
    """What would have to be said for the band to be closed: `Order.note: Field(max_length=)`, `limit=`."""

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
        """Whole units of a size, rounded up, `least` at the least: how stores charge bytes."""

        def units(value: float) -> float:
            return max(least, math.ceil(value / unit))

        return Band(
            units(self.low),
            None if self.expected is None else units(self.expected),
            None if self.high is None else units(self.high),
            self.missing,
        )

    def up_to(self, most: float) -> "Band":
        """The same, where something else caps it: then nothing is missing but what would tell the usual figure."""
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
    """A figure that is known."""
    return Band(value, value, value)


def total(bands: "list[Band] | tuple[Band, ...]") -> Band:
    """The sum of some bands; 0 of none."""
    found = exactly(0)
    for band in bands:
        found = found + band
    return found


NOTHING = exactly(0)
ONE = exactly(1)


@dataclass(frozen=True, slots=True)
class Cost:
    """What one call costs."""

    unit: str
    """The unit in which the store is paid or loaded: `RCU`, `WCU`, `documents`, `rows`, `elements`."""
    units: Band
    """So many of them."""
    examined: Band = NOTHING
    """Items, documents, rows or elements looked at."""
    returned: Band = NOTHING
    """Of which so many are returned."""
    examined_bytes: Band = NOTHING
    """Bytes looked at."""
    returned_bytes: Band = NOTHING
    """Bytes of what is returned."""
    round_trips: Band = ONE
    """Requests that follow one another."""
    partitions: int = 1
    """Partitions, keys or shards touched."""
    arms: tuple[tuple[str, Band], ...] = field(default=())
    """Units by what is charged: the table first, under the empty name, then each index."""
    complexity: str = ""
    """What the vendor documents for the command, such as `O(log(N)+M)`; empty where nothing is."""

    @property
    def missing(self) -> frozenset[str]:
        """What would have to be said for the units to be a closed band."""
        return self.units.missing
