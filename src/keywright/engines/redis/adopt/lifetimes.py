"""Times to live: a declared one if the sampled keys show it, else a remark."""

from collections.abc import Sequence
from datetime import timedelta

from keywright.ir.text import counted
from keywright.record import Record

_MINUTE, _HOUR, _DAY = 60, 3600, 86_400
_USUAL = sorted(
    {1, 2, 3, 5, 10, 15, 20, 30, 45, 90}
    | {_MINUTE * minutes for minutes in (1, 2, 3, 5, 10, 15, 20, 25, 30, 40, 45, 90)}
    | {_HOUR * hours for hours in (1, 2, 3, 4, 6, 8, 12, 18, 36, 48, 72)}
    | {
        _DAY * days
        for days in (1, 2, 3, 4, 5, 7, 8, 10, 14, 15, 21, 28, 30, 31, 35, 45, 60, 90, 100, 180, 365, 366, 400)
    }
)
"""Times that people choose, in seconds."""

ENOUGH = 20
"""Number of keys from which the longest time left is close to the whole time."""

SHORTEST, LEAST = 60, 3
"""Seconds and keys below which nothing is shown: the survey itself takes seconds."""

_CLOSE, _ALIKE = 0.05, 0.02
"""Largest share by which the longest time left is shorter, and by which keys that were written together differ."""


class Lifetime(Record):
    """Lifetime of keys."""

    ttl: timedelta | None
    """The time to live, if all keys show it."""
    remark: str
    """Evidence of the keys, in a few words."""


def lifetime_of(seconds: Sequence[int | None]) -> Lifetime:
    """The lifetime of keys by the time that is left to each; None for a key that never expires."""
    left = [time for time in seconds if time is not None]
    if not left:
        return Lifetime(None, "")
    if len(left) < len(seconds):
        return Lifetime(
            None, f"{len(left)} of {counted(len(seconds), 'sampled key')} expire, in up to {_words(max(left))}"
        )
    usual = next((time for time in _USUAL if time >= max(left)), None)
    if usual is not None and _is_shown(left, usual):
        return Lifetime(timedelta(seconds=usual), f"expiry after {_words(usual)}")
    span = dict.fromkeys((_words(min(left)), _words(max(left))))
    return Lifetime(None, f"expiry in {' to '.join(span)}")


def _is_shown(left: Sequence[int], usual: int) -> bool:
    """Whether many keys, or a few that were written together, have at most this time left, and nearly that much."""
    shortfall = (usual - max(left)) / usual
    are_alike = len(left) >= LEAST and usual - min(left) <= usual * _ALIKE
    return usual >= SHORTEST and (are_alike or (len(left) >= ENOUGH and shortfall <= _CLOSE))


def _words(seconds: int) -> str:
    """A time in the largest unit in which it is at least two."""
    for unit, length in (("day", _DAY), ("hour", _HOUR), ("minute", _MINUTE)):
        if seconds >= 2 * length or seconds == length:
            return counted(round(seconds / length), unit)
    return counted(seconds, "second")
