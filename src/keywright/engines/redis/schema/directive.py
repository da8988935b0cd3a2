"""Directives, and the canonical text in which a server reports each of their values."""

import re
from collections.abc import Callable
from typing import Literal, TypeAlias

from keywright.ir.text import exact
from keywright.record import Record

DirectiveKind: TypeAlias = Literal[
    "flag", "integer", "memory", "share", "word", "words", "events", "limits", "percentiles", "save", "text"
]
"""The kinds of value that a directive accepts."""

_UNITS = {"": 1, "b": 1, "k": 1000, "kb": 2**10, "m": 10**6, "mb": 2**20, "g": 10**9, "gb": 2**30}
_MEMORY = re.compile(r"(\d+)([kmg]?b?)$")
_DATA_EVENTS = "g$lshzxetd"
_CLIENTS = {"normal": "normal", "slave": "slave", "replica": "slave", "pubsub": "pubsub"}


class Directive(Record):
    """One line of redis.conf that a declaration may set."""

    name: str
    """Name of the directive."""
    kind: DirectiveKind
    """Kind of its value."""
    default: str
    """Default value."""
    low: int | None = 0
    """The smallest number; None for any."""
    high: int | None = None
    """The largest number; None for any."""
    values: str = ""
    """The words that it accepts, separated by blanks."""
    redis: str | None = "6.2"
    """The first version of Redis that has it; None if none does."""
    valkey: str | None = "7.2"
    """The first version of Valkey that has it; None if none does."""
    gone: str | None = None
    """The first version of Valkey that was observed without it."""
    changed: tuple[tuple[str, str, str], ...] = ()
    """(flavour, first version, default) of each change of the default, oldest first."""
    renamed: str = ""
    """Its name since Redis 7.0; servers still accept the old name."""
    is_fixed: bool = False
    """Whether it cannot change while the server runs."""


def written(value: str | int | float | bool) -> str:
    """A declared value as text, before it is checked."""
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def canonical(directive: Directive, text: str) -> str:
    """The text that a server reports after this text was set.

    Raises ValueError for a wrong text; its message names the accepted values.
    """
    return FORMS[directive.kind](directive, text.strip())


def _flag(directive: Directive, text: str) -> str:
    if text.lower() not in ("yes", "no"):
        raise ValueError("yes or no")
    return text.lower()


def _integer(directive: Directive, text: str) -> str:
    if not re.fullmatch(r"-?\d+", text):
        raise ValueError(f"a whole number{_range(directive)}")
    return _within(directive, int(text))


def _memory(directive: Directive, text: str) -> str:
    match = _MEMORY.fullmatch(text.lower())
    if match is None:
        raise ValueError("a size such as 64mb")
    return _within(directive, int(match[1]) * _UNITS[match[2]])


def _share(directive: Directive, text: str) -> str:
    if match := re.fullmatch(r"(\d+)%", text):
        if int(match[1]) > 100:
            raise ValueError("at most 100%")
        return f"{int(match[1])}%" if int(match[1]) else "0"  # as servers report a share of nothing
    return _memory(directive, text)


def _word(directive: Directive, text: str) -> str:
    if text.lower() not in directive.values.split():
        raise ValueError(_one_of(directive))
    return text.lower()


def _words(directive: Directive, text: str) -> str:
    requested, allowed = text.lower().split(), directive.values.split()
    if not requested or not set(requested) <= set(allowed):
        raise ValueError(_one_of(directive))
    return " ".join(word for word in allowed if word in requested)


def _events(directive: Directive, text: str) -> str:
    """Classes of keyspace events: `A` means all classes of data, and servers omit `n` beside it."""
    letters = set(text)
    if not letters <= set(_DATA_EVENTS + "AnKEm"):
        raise ValueError('letters of "AKEg$lshzxetdmn"')
    is_all = "A" in letters or set(_DATA_EVENTS) <= letters
    data = "A" if is_all else "".join(letter for letter in f"{_DATA_EVENTS}n" if letter in letters)
    return data + "".join(letter for letter in "KEm" if letter in letters)


def _limits(directive: Directive, text: str) -> str:
    """Output buffers by class of client: a class that is not named keeps its default."""
    words, default = text.lower().split(), directive.default.split()
    limits = {default[start]: default[start + 1 : start + 4] for start in range(0, len(default), 4)}
    for start in range(0, len(words), 4):
        group = words[start : start + 4]
        if len(group) < 4 or group[0] not in _CLIENTS or not group[3].isdigit():
            raise ValueError("a class (normal, replica, pubsub), two sizes and seconds, such as replica 256mb 64mb 60")
        limits[_CLIENTS[group[0]]] = [_memory(directive, group[1]), _memory(directive, group[2]), str(int(group[3]))]
    return " ".join(" ".join((client, *limit)) for client, limit in limits.items())


def _percentiles(directive: Directive, text: str) -> str:
    try:
        numbers = [float(word) for word in text.split()]
    except ValueError:
        numbers = [-1.0]
    if not all(0 <= number <= 100 for number in numbers):
        raise ValueError("numbers from 0 to 100")
    return " ".join(exact(number) for number in numbers)


def _save(directive: Directive, text: str) -> str:
    """Snapshot points as pairs of seconds and changes, the longest time first, since their order has no effect."""
    words = text.split()
    if len(words) % 2 or not all(word.isdigit() for word in words) or "0" in words[::2]:
        raise ValueError("pairs of seconds and changes, such as 3600 1 300 100")
    numbers = [int(word) for word in words]
    points = sorted(set(zip(numbers[::2], numbers[1::2], strict=True)), reverse=True)
    return " ".join(f"{seconds} {changes}" for seconds, changes in points)


def _text(directive: Directive, text: str) -> str:
    return text


FORMS: dict[DirectiveKind, Callable[[Directive, str], str]] = {
    "flag": _flag, "integer": _integer, "memory": _memory, "share": _share, "word": _word, "words": _words,
    "events": _events, "limits": _limits, "percentiles": _percentiles, "save": _save, "text": _text,
}  # fmt: skip
"""Functions that convert a value of each kind to the form that servers report."""


def _within(directive: Directive, number: int) -> str:
    low, high = directive.low, directive.high
    if (low is not None and number < low) or (high is not None and number > high):
        raise ValueError(f"a number{_range(directive)}")
    return str(number)


def _range(directive: Directive) -> str:
    low, high = directive.low, directive.high
    if high is not None:
        return f" from {low} to {high}"
    return f" from {low} on" if low is not None else ""


def _one_of(directive: Directive) -> str:
    return " or ".join(f'"{word}"' for word in directive.values.split())


def quoted(value: str) -> str:
    """The value for redis.conf and redis-cli: in quotes if it is empty or contains more than plain characters."""
    if value and all(letter.isalnum() or letter in "-_.:/%$" for letter in value):
        return value
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{_CONTROL.sub(_bytes, escaped)}"'


_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")


def _bytes(match: "re.Match[str]") -> str:
    """A control character in the escaped form that servers read, byte by byte."""
    return "".join(f"\\x{byte:02x}" for byte in match[0].encode())
