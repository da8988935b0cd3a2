"""Times, days, times of day and durations, as spaces of whole steps."""

from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta
from math import ceil, floor

from keywright.ir.attribute import Scalar

from .space import Space, permuted

MILLISECOND = timedelta(milliseconds=1)
"""The step of times, which every store can represent."""

STEPS = {"hour": timedelta(hours=1), "date": timedelta(days=1), "week": timedelta(days=7), "month": timedelta(days=31)}
"""The difference that makes two times distinct after a filter of a template."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_SECOND = timedelta(seconds=1)
_DAY_SECONDS = 86_400


def datetimes(scalar: Scalar, key: int, window: tuple[datetime, datetime], step: timedelta) -> Space:
    """Times of the window in a pseudo-random order, at whole steps; without a time zone for naive fields."""
    window_limits = ((moment - _EPOCH) // MILLISECOND for moment in window)
    low, high = _bounded(scalar, lambda bound: _since(bound, MILLISECOND), *window_limits)
    width = step // MILLISECOND
    last = max(high - high % width, low)

    def moment(place: int) -> datetime:
        value = _EPOCH + (last - place * width) * MILLISECOND
        return value.replace(tzinfo=None) if scalar.is_aware is False else value

    return _scattered((last - low) // width + 1 if low <= high else 0, key, moment)


def dates(scalar: Scalar, key: int, window: tuple[datetime, datetime]) -> Space:
    """Days of the window."""
    window_limits = (moment.date().toordinal() for moment in window)
    low, high = _bounded(scalar, _day, *window_limits)
    return _scattered(high - low + 1, key, lambda place: date.fromordinal(high - place))


def times(scalar: Scalar, key: int) -> Space:
    """Times of day, in whole seconds."""
    low, high = _bounded(scalar, _second_of_day, 0, _DAY_SECONDS - 1)
    return _scattered(high - low + 1, key, lambda place: (_EPOCH + (low + place) * _SECOND).time())


def durations(scalar: Scalar, key: int) -> Space:
    """Durations of up to a day in whole seconds, or in milliseconds if the bounds are not whole seconds."""
    unit = _SECOND if all(_is_whole(bound) for bound in (scalar.minimum, scalar.maximum)) else MILLISECOND
    low, high = _bounded(scalar, lambda bound: _length(bound) / unit, 1, timedelta(days=1) // unit)
    return _scattered(high - low + 1, key, lambda place: (low + place) * unit)


def _scattered(size: int, key: int, value: Callable[[int], object]) -> Space:
    size = max(0, size)
    return Space(size, lambda ordinal: value(permuted(ordinal, size, key)), size)


def _bounded(scalar: Scalar, units: Callable[[object], float], low: int, high: int) -> tuple[int, int]:
    """The part of low to high within the declared bounds; if it is empty, a range at the declared bounds."""
    least, most, width = low, high, high - low
    if scalar.minimum is not None:
        exact = units(scalar.minimum)
        least = floor(exact) + 1 if scalar.excludes_minimum else ceil(exact)
    if scalar.maximum is not None:
        exact = units(scalar.maximum)
        most = ceil(exact) - 1 if scalar.excludes_maximum else floor(exact)
    if max(low, least) <= min(high, most):
        return max(low, least), min(high, most)
    if scalar.minimum is None:
        return most - width, most
    return least, least + width if scalar.maximum is None else most


# Bounds of a time are instances of its own class, although the representation's type allows only numbers.


def _since(bound: object, unit: timedelta) -> float:
    if not isinstance(bound, datetime):
        return float(str(bound))
    return ((bound if bound.tzinfo else bound.replace(tzinfo=UTC)) - _EPOCH) / unit


def _day(bound: object) -> float:
    return bound.toordinal() if isinstance(bound, date) else float(str(bound))


def _second_of_day(bound: object) -> float:
    if not isinstance(bound, time):
        return float(str(bound))
    return bound.hour * 3600 + bound.minute * 60 + bound.second + bound.microsecond / 1e6


def _length(bound: object) -> timedelta:
    return bound if isinstance(bound, timedelta) else timedelta(seconds=float(str(bound)))


def _is_whole(bound: object) -> bool:
    return bound is None or not _length(bound) % _SECOND
