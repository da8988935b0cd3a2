"""Keys by their shape, counted in bounded memory however many keys there are."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from .key_parts import LONGEST, KeyPart, parts_of

KEPT = 100
"""Most keys of a shape that are kept, whose contents are read."""

WORDS = 64
"""Most different words at one place of keys; more are values."""

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
        self._most = WORDS

    def add(self, key: bytes, type: str) -> None:
        """Count a key; type: the server's."""
        shape = (type, *written(key))
        counted = self.counts.get(shape) or self.counts.get(shape := self._shape(shape))
        if counted is None:
            counted = self._new(shape)
        counted.count += 1
        if len(counted.keys) < KEPT:
            counted.keys.append(key)

    def _new(self, shape: Shape) -> ShapeCount:
        while len(self.counts) >= SHAPES and self._most:
            self._most //= 2
            self._collapse()
        if len(self.counts) >= SHAPES:
            shape = (shape[0], OTHER)
        self.counts.setdefault(shape, ShapeCount())
        self._note(shape)
        return self.counts[self._shape(shape)]

    def _note(self, shape: Shape) -> None:
        """Note the words of a new shape; places with too many of them have values from now on."""
        is_full = False
        for place, word in _words(shape):
            words = self._words.setdefault(shape[:place], set())
            words.add(word)
            is_full |= len(words) > self._most
        if is_full:
            self._collapse()

    def _shape(self, shape: Shape) -> Shape:
        """A shape with values in the places that have too many different words."""
        for place, _ in _words(shape):
            if len(self._words.get(shape[:place], ())) > self._most:
                shape = (*shape[:place], "<word>", *shape[place + 1 :])
        return shape

    def _collapse(self) -> None:
        before, self.counts = self.counts, {}
        for shape, counted in before.items():
            self.counts.setdefault(self._shape(shape), ShapeCount()).add(counted)
        full = {place: words for place, words in self._words.items() if len(words) > self._most}
        self._words = {place: words for place, words in self._words.items() if self._shape(place) == place} | full
        for shape in self.counts:
            for place, word in _words(shape):
                self._words.setdefault(shape[:place], set()).add(word)


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
