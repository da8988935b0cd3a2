"""Names of classes for families of keys: `OrderEvent` for `events:orders`, `DailyScore` for `scores:{board}:daily`."""

from collections.abc import Collection, Sequence

from keywright.engines.contract.naming import camel_case, class_name, singular

from .families import Family, Value
from .key_shapes import is_word
from .values import HYPERLOGLOG
from .words import pieces

PERIODS = frozenset(
    ("alltime", "current", "daily", "global", "hourly", "latest", "monthly", "total", "weekly", "yearly")
)
"""Last words of keys that say which of several the items are."""

_KINDS = frozenset((
    "clicks", "counters", "counts", "errors", "events", "hits", "jobs", "likes", "lock", "locks", "logs", "messages",
    "metrics", "notifications", "scores", "views", "visitors", "visits",
))  # fmt: skip
"""First words of keys that say what the items are; the next word says whose."""

_COUNTS = frozenset(("counter", "counters", "counts", "metrics", "stats"))
"""First words of counters."""

_DATED = {"<date>": "daily", "<hour>": "hourly", "<month>": "monthly", "<week>": "weekly"}
"""Counters by the time in their keys."""

ENTIRE = frozenset(("lb", "leaderboard", "rank", "ranking", "scoreboard"))
_TALKS = frozenset(("channel", "chat", "conversation", "dialog", "inbox", "room", "thread"))
_QUEUES = frozenset(("queue", "queues"))
_QUEUED = frozenset(("list", "stream", "zset"))
"""Words for what contains the items under one key: rankings, conversations, and queues with their types."""

_LONG = {"lb": "leaderboard", "msg": "message", "rank": "ranking"}
"""Words for common abbreviations."""


def name_of(family: Family, nouns: str, taken: Collection[str]) -> str:
    """A class name that no other family has.

    nouns: the name of a key of the type, for families without words.
    """
    words = [part for part in family.parts if isinstance(part, str) and is_word(part)]
    names = (_as_spoken(family, words) if words else "", class_name("_".join(words) or nouns, taken))
    return next(name for name in names if name and name not in taken)


def _as_spoken(family: Family, words: Sequence[str]) -> str:
    """The words of a key in the order of speech, the last one in the singular."""
    spoken = _distinct([piece for word in words for piece in pieces(word)])
    if not any(isinstance(part, Value) for part in family.parts) and family.type in ("hash", "string"):
        return camel_case(" ".join(spoken))  # the one object with all of them
    if dated := _dated(family, spoken):
        return camel_case(" ".join(dated))
    if spoken[-1] in PERIODS and len(spoken) > 1:
        spoken = [spoken[-1], *spoken[:-1]]
    elif words[0] in _KINDS and len(words) > 1 and _are_beside(family):
        spoken = [*spoken[1:-1], singular(spoken[-1]), spoken[0]]
        if family.type == "string" and words[0] != "lock" and not _are_sketches(family):
            return camel_case(" ".join(spoken))  # a counter of several
    elif words[0] == "cache" and len(words) > 1:
        spoken = ["cached", *spoken[1:]]
    elif words[0] in _QUEUES and len(words) > 1 and family.type in _QUEUED:
        spoken = [*spoken[1:-1], singular(spoken[-1]), "job"]
    spoken = [_LONG.get(word, word) for word in spoken]
    return class_name(" ".join((*spoken[:-1], *_element(family.type, spoken))))


def _element(type: str, spoken: Sequence[str]) -> tuple[str, ...]:
    """The last words of a name: those of one item, for keys that are named after what contains it."""
    last = singular(spoken[-1])
    if type == "zset" and last in ENTIRE:
        return last, "entry"
    if type in ("list", "stream") and last in _TALKS:
        return last, "message"
    if type in _QUEUED and last in _QUEUES:
        return ("queued", "job") if len(spoken) == 1 else ("job",)
    return (spoken[-1],)


def _dated(family: Family, spoken: Sequence[str]) -> list[str]:
    """The words of counters of each day or another time; empty for other families."""
    kinds = {kind for part in family.parts if isinstance(part, Value) for kind in part.kinds}
    period = next((_DATED[kind] for kind in sorted(kinds) if kind in _DATED), "")
    is_counter = family.type == "string" and len(spoken) > 1 and spoken[0] in _COUNTS
    return [period, *spoken[1:]] if period and is_counter else []


def _are_sketches(family: Family) -> bool:
    """Whether the strings are HyperLogLogs, whose items are what they count."""
    return all(isinstance(key.value, bytes) and key.value.startswith(HYPERLOGLOG) for key in family.keys)


def _are_beside(family: Family) -> bool:
    """Whether no value stands between the first two words."""
    before = family.parts[: next(n for n, part in enumerate(family.parts) if n and is_word(str(part)))]
    return not any(isinstance(part, Value) for part in before)


def _distinct(words: Sequence[str]) -> list[str]:
    """The words without those that repeat the one before: `spring`, `session` of `spring:session:sessions`."""
    return [word for number, word in enumerate(words) if not number or singular(word) != singular(words[number - 1])]
