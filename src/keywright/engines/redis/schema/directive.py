"""What a directive is, and the one text in which a server reports each of its values."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

DirectiveKind: TypeAlias = Literal[
    "flag", "integer", "memory", "share", "word", "words", "events", "limits", "percentiles", "save", "text"
]
"""The kinds of value that a directive takes."""

_UNITS = {"": 1, "b": 1, "k": 1000, "kb": 2**10, "m": 10**6, "mb": 2**20, "g": 10**9, "gb": 2**30}
_MEMORY = re.compile(r"(\d+)([kmg]?b?)$")
_DATA_EVENTS = "g$lshzxetd"
_CLIENTS = {"normal": "normal", "slave": "slave", "replica": "slave", "pubsub": "pubsub"}


@dataclass(frozen=True, slots=True)
class Directive:
    """One line of redis.conf that a declaration may set."""

    name: str
    """Its name."""
    kind: DirectiveKind
    """What its value is."""
    default: str
    """What a server has that nobody configured."""
    low: int | None = 0
    """The smallest number; None for any."""
    high: int | None = None
    """The largest number; None for any."""
    values: str = ""
    """The words that it takes, separated by blanks."""
    redis: str | None = "6.2"
    """The first version of Redis that has it; None if none does."""
    valkey: str | None = "7.2"
    """The first version of Valkey that has it; None if none does."""
    gone: str | None = None
    """The first version of Valkey that no longer has it, as far as was seen."""
    changed: tuple[tuple[str, str, str], ...] = ()
    """(flavour, first version, default) where the default became another one, oldest first."""
    renamed: str = ""
    """Its name since Redis 7.0; the old one is still taken."""
    is_fixed: bool = False
    """Whether it cannot change while the server runs."""


def written(value: str | int | float | bool) -> str:
    """A declared value as text, before it is checked."""
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def canonical(directive: Directive, text: str) -> str:
    """The text that a server reports after it was given this one; ValueError says what the directive takes."""
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
        return f"{int(match[1])}%"
    return _memory(directive, text)


def _word(directive: Directive, text: str) -> str:
    if text.lower() not in directive.values.split():
        raise ValueError(_one_of(directive))
    return text.lower()


def _words(directive: Directive, text: str) -> str:
    given, known = text.lower().split(), directive.values.split()
    if not given or not set(given) <= set(known):
        raise ValueError(_one_of(directive))
    return " ".join(word for word in known if word in given)


def _events(directive: Directive, text: str) -> str:
    """Classes of keyspace events: `A` stands for all about data, and swallows `n` in what the server reports."""
    letters = set(text)
    if not letters <= set(_DATA_EVENTS + "AnKEm"):
        raise ValueError('letters of "AKEg$lshzxetdmn"')
    is_all = "A" in letters or set(_DATA_EVENTS) <= letters
    data = "A" if is_all else "".join(letter for letter in f"{_DATA_EVENTS}n" if letter in letters)
    return data + "".join(letter for letter in "KEm" if letter in letters)


def _limits(directive: Directive, text: str) -> str:
    """Output buffers by class of client: a class that is not named keeps what the server has by itself."""
    words, default = text.lower().split(), directive.default.split()
    limits = {default[at]: default[at + 1 : at + 4] for at in range(0, len(default), 4)}
    for at in range(0, len(words), 4):
        group = words[at : at + 4]
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
    return " ".join(f"{number:g}" for number in numbers)


def _save(directive: Directive, text: str) -> str:
    """Snapshot points as pairs of seconds and changes, the longest time first: their order means nothing."""
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
"""What brings a value of each kind into the form that servers report."""


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
