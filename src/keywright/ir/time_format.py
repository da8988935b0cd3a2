"""Formats of times in keys, as `strftime` of Python writes them: rearranged parts of the text in ISO 8601."""

import re
from functools import lru_cache

from .attribute import Precision

_PARTS = {"Y": (0, 4), "m": (5, 7), "d": (8, 10), "H": (11, 13), "M": (14, 16), "S": (17, 19), "f": (20, 26)}
"""The slice of each directive in the text of a UTC time with microseconds, from the year down."""

_FORMS = {"Y": "", "Ym": "month", "Ymd": "date", "YmdH": "hour", "YmdHMS": "iso", "YmdHMSf": "iso"}
"""The filter with the same parts, by directives; none for others."""

_TOKEN = re.compile(r"%(.)|([^%])", re.DOTALL)
_CONSTANT = re.compile(r"[A-Za-z0-9 :./_#|@TZ-]")

DIRECTIVES = "%Y, %m, %d, %H, %M, %S and %f, from the year down to month, day, hour, seconds or microseconds"
"""The parts of a format, in words."""


def form_of(format: str) -> str | None:
    """The filter that writes the same parts of a time: month, date, hour or iso; None for a format that is none."""
    directives = ""
    for directive, constant in _TOKEN.findall(format):
        if constant and not _CONSTANT.fullmatch(constant):
            return None
        directives += directive
    if format.endswith("%") and not format.endswith("%%"):
        return None
    return _FORMS.get(directives) or None


@lru_cache(maxsize=1024)
def _pieces(format: str) -> tuple[str | tuple[int, int], ...]:
    return tuple(_PARTS[directive] if directive else constant for directive, constant in _TOKEN.findall(format))


def arranged(format: str, text: str) -> str:
    """A time in UTC with microseconds, or a date, in a format."""
    return "".join(part if isinstance(part, str) else text[part[0] : part[1]] for part in _pieces(format))


def cut(text: str, precision: Precision | None) -> str:
    """A time in UTC with microseconds, cut to a precision, as text of the same length."""
    if precision is None:
        return text
    return f"{text[:20]}{text[20:23] if precision == 'milliseconds' else ''}".ljust(26, "0") + text[26:]


def width_of(format: str) -> int:
    """Number of characters that a format writes."""
    return sum(len(part) if isinstance(part, str) else part[1] - part[0] for part in _pieces(format))


def constants_of(format: str) -> frozenset[str]:
    """The characters between the parts."""
    return frozenset(part for part in _pieces(format) if isinstance(part, str))


def has_fraction(format: str) -> bool:
    """Whether a format writes parts of a second."""
    return "%f" in format
