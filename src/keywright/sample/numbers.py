"""Integers, floats and decimals within their bounds, as spaces of whole units."""

from collections.abc import Callable
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal

from keywright.ir.attribute import Scalar

from .space import Space

_MANY = 2**53  # a float holds every integer below it
_USUAL = 1_000
_PLACES = 2
_MOST_PLACES = 15


def integers(scalar: Scalar) -> Space:
    """Whole numbers, ascending from the minimum, or from 1 without a minimum."""
    low, high = _units(scalar, 0)
    return _space(scalar, low, high, _USUAL, lambda unit: unit)


def decimals(scalar: Scalar) -> Space:
    """Decimals with the declared decimal places, by default two."""
    places, low, high = _places(scalar)
    if scalar.max_digits is not None:
        most = 10**scalar.max_digits - 1
        low, high = None if low is None else max(low, -most), most if high is None else min(high, most)
    return _space(scalar, low, high, 50 * 10**places, lambda unit: Decimal(unit).scaleb(-places))


def floats(scalar: Scalar) -> Space:
    """Floats with few digits: two decimal places, or as many as the bounds need."""
    places, low, high = _places(scalar)
    return _space(scalar, low, high, 100 * 10**places, lambda unit: float(Decimal(unit).scaleb(-places)))


def _space(scalar: Scalar, low: int | None, high: int | None, usual: int, value: Callable[[int], object]) -> Space:
    """Units from low to high; only usual values are drawn, unless both bounds are declared."""
    start = low if low is not None else 1 if high is None or high >= 1 else high - usual + 1
    size = _MANY if high is None else max(0, high - start + 1)
    is_closed = scalar.minimum is not None and scalar.maximum is not None
    return Space(size, lambda ordinal: value(start + ordinal), size if is_closed else min(size, usual))


def _places(scalar: Scalar) -> tuple[int, int | None, int | None]:
    """(decimal places, smallest unit, largest unit); narrow bounds get enough decimal places to contain a value."""
    places = _PLACES if scalar.decimal_places is None else scalar.decimal_places
    if scalar.max_digits is not None:
        places = min(places, scalar.max_digits)
    low, high = _units(scalar, places)
    limit = _MOST_PLACES if scalar.decimal_places is None and scalar.max_digits is None else places
    while places < limit and low is not None and high is not None and low >= high:
        places += 1
        low, high = _units(scalar, places)
    return places, low, high


def _units(scalar: Scalar, places: int) -> tuple[int | None, int | None]:
    """The smallest and the largest allowed number in units of the last place."""
    low = _unit(scalar.minimum, places, ROUND_CEILING, scalar.excludes_minimum)
    high = _unit(scalar.maximum, places, ROUND_FLOOR, scalar.excludes_maximum)
    return low, high


def _unit(bound: int | float | Decimal | None, places: int, rounding: str, is_excluded: bool) -> int | None:
    if bound is None or not (exact := Decimal(str(bound))).is_finite():
        return None
    scaled = exact.scaleb(places)
    unit = int(scaled.to_integral_value(rounding))
    if is_excluded and unit == scaled:
        unit += 1 if rounding == ROUND_CEILING else -1
    return unit
