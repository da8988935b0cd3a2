"""Keys by their shape, counted in bounded memory however many keys there are."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from .key_parts import LONGEST, KeyPart, parts_of

KEPT = 100
"""Most keys of a shape that are kept, whose contents are read."""

WORDS = 64
"""Most different words at one place of keys; more are values, apart from frequent ones."""

SHAPES = 2000
"""Most shapes; with more of them, fewer different words are told apart."""

Shape = tuple[str, ...]
"""The type of the server, then words and separators as they are, and values as `<number>`."""

LONG, BINARY, OTHER = "<long>", "<bytes>", "<other>"
"""Keys that are not taken apart, and keys of further shapes."""


@dataclass(slots=True)
class ShapeCount:
    """The keys of one shape."""

    count: int = 0
    keys: list[bytes] = field(default_factory=list)

    def add(self, other: "ShapeCount") -> None:
        """Add the keys of another shape."""
        self.count += other.count
        self.keys += other.keys[: KEPT - len(self.keys)]


class KeyShapes:
    """The shapes of the keys that were added so far."""

    def __init__(self) -> None:
        self.counts: dict[Shape, ShapeCount] = {}
        self._words: dict[Shape, set[str]] = {}
        self._kept: dict[Shape, frozenset[str]] = {}
        self._most = WORDS

    def add(self, key: bytes, type: str) -> None:
        """Count a key; type: the server's."""
        shape = (type, *written(key))
        counted = self.counts.get(shape) or self.counts.get(shape := self._shape(shape)) or self._new(shape)
        counted.count += 1
        if len(counted.keys) < KEPT:
            counted.keys.append(key)

    def _new(self, shape: Shape) -> ShapeCount:
        while len(self.counts) >= SHAPES and self._most:
            self._most //= 2
            self._collapse({place for place, words in self._words.items() if len(words) > self._most} | {*self._kept})
        self._collapse(self._full(shape))
        shape = self._shape(shape)
        if shape not in self.counts and len(self.counts) >= SHAPES:
            shape = (shape[0], OTHER)
        return self.counts.setdefault(shape, ShapeCount())

    def _full(self, shape: Shape) -> set[Shape]:
        """Note the words of a new shape; returns the places that have too many of them now."""
        full: set[Shape] = set()
        for place, word in _words(shape):
            before = shape[:place]
            if before not in self._kept:
                words = self._words.setdefault(before, set())
                words.add(word)
                full |= {before} if len(words) > self._most else set()
        return full

    def _shape(self, shape: Shape) -> Shape:
        """A shape with values in the places of too many different words, apart from frequent ones."""
        for place, word in _words(shape):
            kept = self._kept.get(shape[:place])
            if kept is not None and word not in kept:
                shape = (*shape[:place], "<word>", *shape[place + 1 :])
        return shape

    def _collapse(self, full: set[Shape]) -> None:
        """Make the words at these places values, and those at the places that are too full then."""
        while full:
            for place in full:
                self._kept[place] = self._frequent(place)
            before, self.counts, self._words = self.counts, {}, {}
            for shape, counted in before.items():
                self.counts.setdefault(self._shape(shape), ShapeCount()).add(counted)
            full = {place for shape in self.counts for place in self._full(shape)}

    def _frequent(self, place: Shape) -> frozenset[str]:
        """The words at a place that many keys have: constants, among names that are values."""
        totals: Counter[str] = Counter()
        for shape, counted in self.counts.items():
            if shape[: len(place)] == place and len(shape) > len(place):
                totals[shape[len(place)]] += counted.count
        least = totals.total() / max(self._most, 1)
        return frozenset(word for word, count in totals.items() if is_word(word) and count > 1 and count >= least)


def written(key: bytes) -> tuple[str, ...]:
    """The parts of a key as a shape writes them."""
    return tuple(shape_part(part) for part in parts) if (parts := key_parts(key)) else (_odd(key),)


def key_parts(key: bytes) -> tuple[KeyPart, ...]:
    """The parts of a key; none for a long key, or one that is no text."""
    try:
        return tuple(parts_of(key.decode())) if len(key) <= LONGEST else ()
    except UnicodeDecodeError:
        return ()


def shape_part(part: KeyPart) -> str:
    """A part as a shape writes it."""
    kind, text = part
    return text if kind in ("word", "separator") else f"<{kind}>"


def is_word(part: str) -> bool:
    """Whether a part of a shape is a word."""
    return part[:1].isalpha() or (len(part) > 1 and not part.startswith("<"))


def _words(shape: Shape) -> Iterator[tuple[int, str]]:
    return ((place, part) for place, part in enumerate(shape) if place and is_word(part))


def _odd(key: bytes) -> str:
    return LONG if len(key) > LONGEST else BINARY
