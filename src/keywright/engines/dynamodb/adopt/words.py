"""Words of keys that name a kind of item: everything else in a key may be a stored value."""

import re
from collections.abc import Iterable

from keywright.engines.contract.naming import singular, words_of

DISCRIMINATORS = (
    "entity_type", "entityType", "EntityType", "_type", "type", "Type", "entity", "kind", "__edb_e__", "_et",
    "__typename",
)  # fmt: skip
"""Names of attributes that libraries and people use for the kind of an item, in the order in which they are tried."""

OVERLOADED = re.compile(r"(?i)gsi|lsi|index|(?:^|[^a-z])[ps]k(?:[^a-z]|$)|hash|range")
"""Names of attributes that exist only as keys."""

SEPARATOR = re.compile(r"[#|:/]")
"""Characters between the parts of a key."""

ROOTS = frozenset(("a", "base", "data", "header", "main", "meta", "metadata", "root", "self"))
"""Words of a sort key for the item that its partition is about."""

GENERIC = ROOTS | frozenset((
    "account", "activity", "address", "archive", "audit", "balance", "category", "comment", "config", "configuration",
    "count", "counter", "customer", "daily", "day", "details", "device", "document", "entity", "event", "file",
    "friend", "group", "history", "hour", "info", "information", "invoice", "item", "job", "line", "list", "lock",
    "log", "member", "membership", "message", "month", "note", "notification", "order", "organisation", "organization",
    "payment",
    "permission", "post", "preferences", "product", "profile", "project", "receipt", "record", "review", "role", "room",
    "session", "settings", "shipment", "snapshot", "stats", "state", "status", "subscription", "summary", "tag", "task",
    "team", "tenant", "thread", "timeline", "token", "total", "transaction", "type", "user", "version", "visit", "week",
    "year",
))  # fmt: skip
"""Words that single tables use for kinds of items, as `singular` returns them; none of them is a name of a person."""

_WORD = re.compile(r'"?[A-Za-z][A-Za-z_-]{0,30}"?')

_ENDINGS = ("count", "list", "line")
"""Endings of compound words, such as `likecount`."""

_SHORT = 5
"""Most letters of an abbreviation."""


def parts_of(key: str) -> list[str]:
    """The parts of a key between its separators; a separator before the first part does not count."""
    return SEPARATOR.split(SEPARATOR.sub("", key, count=1) if SEPARATOR.match(key) else key)


def word_of(name: str) -> str:
    """A word as the name of a class."""
    return singular(name.strip('"').lower())


def is_word(text: str) -> bool:
    """Whether a part of a key has the form of a word: letters, `_` and `-`, also in quotes."""
    return _WORD.fullmatch(text) is not None


def plain_word(text: str) -> str:
    """A word without quotes, in small letters and in the singular."""
    return singular(text.strip('"').lower())


class Vocabulary:
    """Words that are kinds of items in one table."""

    def __init__(self, names: Iterable[str], kinds: Iterable[str] = ()) -> None:
        """names: of attributes, indexes and the table. kinds: names of kinds of items, by a discriminator or a file."""
        self.words: frozenset[str] = frozenset()
        self._kinds = frozenset(kinds)
        self._names = {plain_word(word) for name in (*names, *self._kinds) for word in (name, *words_of(name))}

    def with_words(self, words: frozenset[str]) -> "Vocabulary":
        """The vocabulary with words that begin keys, and that the items show to be kinds."""
        other = Vocabulary(())
        other.words, other._kinds, other._names = words, self._kinds, self._names
        return other

    def is_generic(self, text: str) -> bool:
        """Whether a word is one of a single table in general, such as `METADATA`, `orders` or `like-count`."""
        word = plain_word(text)
        if word in GENERIC or (word.isalpha() and word.endswith(_ENDINGS)):
            return True
        words = [plain_word(part) for part in words_of(text)]
        return len(words) > 1 and all(len(part) > 1 and (part in GENERIC or part in self._names) for part in words)

    def is_named(self, text: str) -> bool:
        """Whether an attribute, an index or a kind of items has the word in its name."""
        return plain_word(text) in self._names

    def is_abbreviated(self, text: str, kinds: Iterable[str] | None = None) -> bool:
        """Whether a word is a kind, or a few of its letters: `sh` of `shipment`, `prd` of `product`.

        kinds: the kinds in question; all kinds of the table by default.
        """
        word = plain_word(text)
        return any(_abbreviates(word, plain_word(kind)) for kind in (self._kinds if kinds is None else kinds))


def _abbreviates(word: str, kind: str) -> bool:
    if word == kind or (len(word) > 2 and (kind.startswith(word) or word.startswith(kind))):
        return True
    letters = iter(kind)
    return len(word) <= _SHORT and word[:1] == kind[:1] and all(letter in letters for letter in word)
