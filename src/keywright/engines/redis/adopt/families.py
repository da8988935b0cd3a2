"""Sampled keys in families: keys of one type with the same constant words."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from keywright.record import Record

from .key_parts import KeyPart
from .key_shapes import BINARY, LONG, OTHER, is_word, key_parts
from .sampled_keys import SampledShape, StoredKey
from .values import unreadable
from .words import KnownWords, names_persons

LEAST = 3
"""Least number of keys that show a word to be constant; fewer show nothing."""

FEW = 20
"""Number of keys from which a word is no name, although it is in the place of one."""

TIMES = frozenset(("<time>", "<hour>", "<date>", "<week>", "<month>"))
"""Values that no other value is confused with."""

_LISTED = KnownWords(())

UNREAD = {LONG: "their names are longer than 512 bytes", BINARY: "their names are no text", OTHER: "too many shapes"}
"""Reasons why keys are not taken apart."""


class Value(Record):
    """A part of a family's keys that differs between its keys."""

    kinds: frozenset[str]
    """The parts of shapes that are there, such as `<number>`; words are `<word>`."""
    choices: tuple[str, ...] = ()
    """All its values, if they are words that are known; empty if there are others."""


class Family(Record):
    """Keys of one type with the same constants."""

    type: str
    """Type of the server."""
    parts: tuple[str | Value, ...]
    """Constants and values, in order."""
    count: int
    """Number of its keys that were scanned."""
    keys: tuple[StoredKey, ...]
    """Some of them."""
    large: int
    """Number of keys that were too large to be read."""

    @property
    def shape(self) -> str:
        """The keys with the kinds of values in place of the values."""
        return "".join(part if isinstance(part, str) else _kind(part.kinds) for part in self.parts)


def families_of(shapes: Sequence[SampledShape]) -> Iterator[Family]:
    """The families of the keys of a server."""
    vocabulary = KnownWords({*_first_words(shapes), *_field_names(shapes)})
    by_type: dict[str, list[SampledShape]] = {}
    for shape in shapes:
        by_type.setdefault(shape.shape[0], []).append(shape)
    for type, leaves in sorted(by_type.items()):
        settled = [leaf for leaf in leaves if leaf.shape[1] not in UNREAD]
        yield from (_family(type, (leaf.shape[1],), [leaf]) for leaf in leaves if leaf.shape[1] in UNREAD)
        yield from _settled(type, settled, (), vocabulary)


def _settled(
    type: str, leaves: Sequence[SampledShape], parts: tuple[str | Value, ...], vocabulary: KnownWords
) -> Iterator[Family]:
    """The families of shapes with the same first parts."""
    place = len(parts) + 1
    if ended := [leaf for leaf in leaves if len(leaf.shape) == place]:
        yield _family(type, parts, ended)
    branches: dict[str, list[SampledShape]] = {}
    constant = _constants([leaf for leaf in leaves if len(leaf.shape) > place], place, parts, vocabulary)
    for leaf in leaves:
        if len(leaf.shape) > place:
            part = leaf.shape[place]
            is_kept = part in TIMES or (part in constant if is_word(part) else not part.startswith("<"))
            branches.setdefault(part if is_kept else "", []).append(leaf)
    for part, branch in branches.items():
        kinds = frozenset("<word>" if is_word(leaf.shape[place]) else leaf.shape[place] for leaf in branch)
        decided = part if part and part not in TIMES else Value(kinds)
        yield from _settled(type, branch, (*parts, decided), vocabulary)


def _constants(
    leaves: Sequence[SampledShape], place: int, parts: Sequence[str | Value], vocabulary: KnownWords
) -> frozenset[str]:
    """The words at a place that are constants of keys, and no values."""
    groups: dict[tuple[str, ...], list[SampledShape]] = {}
    for leaf in leaves:
        if not _is_separator(leaf.shape[place]) and leaf.shape[place] not in TIMES:
            groups.setdefault(_suffix(leaf, place), []).append(leaf)
    constant: set[str] = set()
    values: set[str] = set()
    for group in groups.values():
        words: dict[str, list[SampledShape]] = {}
        for leaf in group:
            words.setdefault(leaf.shape[place], []).append(leaf)
        has_values = any(not is_word(word) for word in words)
        own = {word: leaves for word, leaves in words.items() if is_word(word)}
        shown = _shown(own, place, parts, vocabulary, has_values=has_values)
        constant |= shown
        if place > 1 and not own.keys() <= shown:
            values |= own.keys()
    return frozenset(constant - values)


def _shown(
    words: Mapping[str, Sequence[SampledShape]],
    place: int,
    parts: Sequence[str | Value],
    vocabulary: KnownWords,
    *,
    has_values: bool,
) -> set[str]:
    """The words that are known, or shown to be constant by the keys that contain them."""
    counts = {word: sum(leaf.count for leaf in leaves) for word, leaves in words.items()}
    if place == 1:
        return {word for word in words if word in vocabulary}
    shown = {word for word in words if word in vocabulary and not _is_inside_braces(parts)}
    if has_values or min(counts.values(), default=0) < LEAST or _is_inside_braces(parts):
        return shown
    follows_value = any(isinstance(part, Value) for part in parts)
    recurs = follows_value and len(words) == 1 and max(counts.values()) >= FEW
    names = [_names(leaves) for leaves in words.values()]
    before = next((part for part in reversed(parts) if isinstance(part, str) and is_word(part)), "")
    differs = len(names) > 1 and (follows_value or not names_persons(before))
    differs = differs and all(names) and len(set(names)) == len(names)
    return set(words) if recurs or differs else shown


def _is_first(leaves: Sequence[SampledShape], word: str) -> bool:
    """Whether values, or different words that are no known ones, follow the first word of keys after a separator."""
    rest = [leaf.shape[2:] for leaf in leaves]
    if not (word[-1] in "-_." or all(rest)):
        return False
    unknown = {part for parts in rest for part in parts if is_word(part) and part not in _LISTED}
    return len(unknown) >= LEAST or any(part.startswith("<") or part == "{" for parts in rest for part in parts)


def _is_inside_braces(parts: Sequence[str | Value]) -> bool:
    return "{" in parts and "}" not in parts[parts.index("{") :]


def _suffix(leaf: SampledShape, place: int) -> tuple[str, ...]:
    """The parts after a place, all words alike and all values alike."""
    return tuple(
        part if part in TIMES or _is_separator(part) else "word" if is_word(part) else "value"
        for part in leaf.shape[place + 1 :]
    )


def _is_separator(part: str) -> bool:
    return len(part) == 1 and not part.isalpha()


def _first_words(shapes: Sequence[SampledShape]) -> set[str]:
    """First words of keys before a separator, without those that may be names of few keys each."""
    groups: dict[tuple[str, ...], dict[str, list[SampledShape]]] = {}
    counts: Counter[str] = Counter()
    for shape in shapes:
        word = shape.shape[1]
        if is_word(word) and word not in _LISTED:
            groups.setdefault((shape.shape[0], *_suffix(shape, 1)), {}).setdefault(word, []).append(shape)
            counts[word] += shape.count
    leaves = {word: [leaf for words in groups.values() for leaf in words.get(word, ())] for word in counts}
    names = {word for words in groups.values() if _are_alike(words) for word in words if counts[word] < FEW}
    return {word for word in counts.keys() - names if counts[word] >= LEAST and _is_first(leaves[word], word)}


def _are_alike(words: Mapping[str, Sequence[SampledShape]]) -> bool:
    """Whether several words begin keys of the same form with the same contents."""
    return len(words) >= LEAST and len({_contents(leaves) for leaves in words.values()}) == 1


def _contents(leaves: Sequence[SampledShape]) -> frozenset[str]:
    """Names of fields, else the kind of the first value."""
    values = (key.value for leaf in leaves for key in leaf.keys if isinstance(key.value, bytes))
    value = next(values, b"")
    kind = unreadable(value) or ("number" if value.isdigit() else "text")
    return _names(leaves) or frozenset((f"<{kind}>",))


def _field_names(shapes: Sequence[SampledShape]) -> Iterator[str]:
    for shape in shapes:
        if shape.count >= LEAST:
            yield from _names([shape])


def _names(leaves: "Iterator[SampledShape] | Sequence[SampledShape]") -> frozenset[str]:
    """Names of fields in most values of some keys; empty for values without fields."""
    counts: dict[str, int] = {}
    keys = [key for leaf in leaves for key in leaf.keys]
    for key in keys:
        for name in names_in(key.value):
            counts[name] = counts.get(name, 0) + 1
    return frozenset(name for name, count in counts.items() if count * 2 >= len(keys))


def names_in(value: Any) -> set[str]:
    """Names of the fields of a hash, of the first entry or element, or of a JSON object."""
    if isinstance(value, list):
        return names_in(value[0]) if value else set()
    if isinstance(value, dict):
        return {name.decode("utf-8", "replace") for name in value}
    try:
        document = json.loads(value) if isinstance(value, bytes) and value[:1] == b"{" else None
    except ValueError:
        return set()
    return set(document) if isinstance(document, dict) else set()


def _family(type: str, parts: tuple[str | Value, ...], leaves: Sequence[SampledShape]) -> Family:
    return Family(
        type,
        parts,
        sum(leaf.count for leaf in leaves),
        tuple(key for leaf in leaves for key in leaf.keys),
        sum(leaf.large for leaf in leaves),
    )


def _kind(kinds: frozenset[str]) -> str:
    return next(iter(kinds)) if len(kinds) == 1 else "<text>"


def texts_at(family: Family, place: int) -> list[str]:
    """The texts of a part in the sampled keys."""
    return [text_of(key_parts(key.key)[place]) for key in family.keys]


def text_of(part: KeyPart) -> str:
    """The text of a part of a key."""
    return part[1]
