"""Items in groups by the words of their keys: `USER` and `ORDER` of `USER#…`, `ORDER#…`."""

from collections.abc import Mapping, Sequence
from typing import Any

from keywright.record import Record

from .words import DISCRIMINATORS, OVERLOADED, Vocabulary, is_word, parts_of

Item = Mapping[str, Any]
"""An item in plain form."""

LEAST = 3
"""Least number of items of a word that nothing else shows to be a kind."""

MOST_WORDS = 12
"""Most words at one place of a key; more are stored values."""

_DEPTH = 4
"""Parts of a key that are read."""


class Shape(Record):
    """Items whose keys have the same words at the same places."""

    items: tuple[Item, ...]
    """The items."""
    by_key: tuple[tuple[str, ...], ...]
    """The words of each key attribute, in order."""

    @property
    def words(self) -> frozenset[str]:
        """The words of all keys."""
        return frozenset(word for words in self.by_key for word in words)


def by_key_words(items: Sequence[Item], keys: Sequence[str], vocabulary: Vocabulary) -> list[Shape]:
    """Items by the words of their keys, in the order of the words."""
    first = _shapes(items, keys, vocabulary, 1)
    words = frozenset(word for shape in first for word in shape.words)
    return sorted(_shapes(items, keys, vocabulary.with_words(words), _DEPTH), key=lambda shape: shape.by_key)


def _shapes(items: Sequence[Item], keys: Sequence[str], vocabulary: Vocabulary, depth: int) -> list[Shape]:
    shapes = [Shape(tuple(items), tuple(() for _ in keys))]
    for place in range(depth):
        for position, key in enumerate(keys):
            shapes = [part for shape in shapes for part in _divided(shape, position, key, place, vocabulary)]
    return shapes


def common_words(items: Sequence[Item], keys: Sequence[str], vocabulary: Vocabulary, kind: str) -> frozenset[str]:
    """Words that all keys of one kind's items have at the same place."""
    words: set[str] = set()
    for key in keys:
        rows = [parts_of(str(item.get(key, ""))) for item in items]
        for column in zip(*rows, strict=False):
            word = column[0]
            is_kind = len(word) == 1 or vocabulary.is_generic(word) or vocabulary.is_abbreviated(word, (kind,))
            if is_word(word) and len(set(column)) == 1 and (is_kind or _is_repeated(word, column, rows, vocabulary)):
                words.add(word)
    return frozenset(words)


def _is_repeated(word: str, column: Sequence[str], rows: Sequence[Sequence[str]], vocabulary: Vocabulary) -> bool:
    """Whether a word before other parts occurs often enough to be no stored value."""
    is_before = len({tuple(row) for row in rows}) > 1
    return is_before and len(column) >= 2 and (word.isupper() or vocabulary.is_named(word) or len(column) >= LEAST)


def _divided(shape: Shape, position: int, key: str, place: int, vocabulary: Vocabulary) -> list[Shape]:
    """A shape by its words at one place."""
    groups: dict[str, list[Item]] = {}
    for item in shape.items:
        parts = parts_of(str(item.get(key, "")))
        word = parts[place] if place < len(parts) and is_word(parts[place]) else ""
        groups.setdefault("" if _is_value(word, item, key) else word, []).append(item)
    kinds = {word for word in groups if word and _is_vocabulary(word, groups[word], key, place, vocabulary)}
    unclear = groups.keys() - kinds - {""}
    if len(unclear) <= MOST_WORDS:
        kinds |= {word for word in unclear if _has_evidence(word, groups, key, place)}
    parts_of_shape: dict[str, list[Item]] = {}
    for word, group in groups.items():
        parts_of_shape.setdefault(word if word in kinds else "", []).extend(group)
    if place and (len(parts_of_shape) > 1 and min(map(len, parts_of_shape.values())) < 2):
        parts_of_shape = {"": list(shape.items)}
    return [Shape(tuple(group), _with(shape.by_key, position, word)) for word, group in parts_of_shape.items()]


def _with(by_key: tuple[tuple[str, ...], ...], position: int, word: str) -> tuple[tuple[str, ...], ...]:
    added = (*by_key[position], word) if word else by_key[position]
    return (*by_key[:position], added, *by_key[position + 1 :])


def _is_value(word: str, item: Item, key: str) -> bool:
    """Whether another attribute of the item has the word as its value."""
    ignored = (key, *DISCRIMINATORS)
    others = (value for name, value in item.items() if name not in ignored and not OVERLOADED.search(name))
    return bool(word) and word in others


def _is_vocabulary(word: str, group: Sequence[Item], key: str, place: int, vocabulary: Vocabulary) -> bool:
    """Whether the word is a kind in general, whatever the items are."""
    is_first = place == 0 and any(len(parts_of(str(item[key]))) > 1 for item in group)
    if (
        vocabulary.is_generic(word)
        or (place == 0 and word in vocabulary.words)
        or (is_first and (len(word) == 1 or vocabulary.is_abbreviated(word)))
    ):
        return True
    return vocabulary.is_named(word) and (is_first or len(group) > 1)


def _has_evidence(word: str, groups: Mapping[str, Sequence[Item]], key: str, place: int) -> bool:
    """Whether the items with the word are a kind of their own: by their attributes, or by their number."""
    group = groups[word]
    others = [item for other, items in groups.items() if other != word for item in items]
    if place == 0 and len(group) > 1 and word.isupper():
        return True
    if not others:
        return place == 0 and len(group) >= LEAST and len({str(item[key]) for item in group}) > 1
    every, some = _common(group), frozenset().union(*group)
    own = every - frozenset().union(*others)
    lacking = _common(others) - some
    if len(group) == 1 or place:
        return bool(own) and (bool(lacking) or len(group) > 1 or word.isupper())
    return bool(own) or (bool(lacking) and len(group) >= LEAST)


def _common(items: Sequence[Item]) -> frozenset[str]:
    return frozenset.intersection(*(frozenset(item) for item in items))
