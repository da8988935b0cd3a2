"""Text in messages: foreign text on one line, and numbers with their nouns."""

import re
from collections.abc import Callable
from decimal import Decimal

_UNITS = {"E": 1e18, "P": 1e15, "T": 1e12, "G": 1e9, "M": 1e6, "k": 1e3}

_UNSAFE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u2028\u2029"  # ends a line, or controls a terminal
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff"  # changes the order in which a reviewer sees the letters
    "\ud800-\udfff\ufffe\uffff]"  # not characters of UTF-8 or YAML
)


def one_line(text: str) -> str:
    r"""The text with control characters, line separators and direction marks as escapes such as `\u000a`."""
    return _UNSAFE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def is_one_line(text: str) -> bool:
    """Whether a text can be a name: it contains nothing that `one_line` escapes."""
    return _UNSAFE.search(text) is None


def counted(
    number: float,
    singular: str,
    plural: str = "",
    *,
    spec: str | Callable[[float], str] = "",
) -> str:
    """A number with its noun, verb or both: `1 table`, `3 tables`, `1 is allowed`.

    plural: the words for numbers other than 1; by default the singular with an s. spec: a format, or `figure`; by
    default the number is written in full.
    """
    digits = spec(number) if callable(spec) else format(number, spec) if spec else exact(number)
    return f"{digits} {singular if digits == '1' else plural or singular + 's'}"


def exact(number: float) -> str:
    """A number in full, with up to ten decimal places and without exponent: `1000000`, `0.25`."""
    return str(number) if isinstance(number, int) else f"{Decimal(f'{number:.10g}'):f}"


def figure(value: float) -> str:
    """A number with three significant digits: `0.5`, `12`, `1.2k`, `3.4M`."""
    # Three digits of 999,500 and more are a million: a thousand thousands would be written 1e+03k.
    for unit, factor in _UNITS.items():
        if value >= (0.9995 * factor if unit != "k" else 10 * factor):
            scaled = value / factor
            return f"{scaled:.3g}{unit}" if scaled < 999.5 else f"{scaled:.0f}{unit}"
    return f"{value:.0f}" if value >= 100 or value == int(value) else f"{value:.2g}" if value < 1 else f"{value:.3g}"
