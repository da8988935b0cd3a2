"""Few items without a discriminator, which belong to no entity."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from keywright.engines.contract.adoption import NotExpressed
from keywright.ir.text import counted

from .key_shapes import LEAST, Item
from .words import SEPARATOR, Vocabulary, is_word

_PART = re.compile(f"({SEPARATOR.pattern})")

_SMALLEST_SHARE = 50
"""The part of the items that may lack the discriminator: one of fifty."""

_MOST_SHAPES = 3
"""Most shapes of keys that are named one by one."""

_HIDDEN = "…"
"""The replacement of a part of a key that may be a stored value."""


def are_few(leftovers: int, items: int, smallest: int) -> bool:
    """Whether items without a discriminator are rather remains than an entity of their own.

    smallest: the number of items of the smallest entity.
    """
    return leftovers * _SMALLEST_SHARE <= items and leftovers < smallest


def without_discriminator(
    leftovers: Sequence[Item], name: str, keys: Sequence[str], vocabulary: Vocabulary, words: frozenset[str]
) -> Iterator[NotExpressed]:
    """The number of leftover items for each shape of their keys, without stored values.

    words: of the keys of all entities.
    """
    shown = words | _repeated(leftovers, keys)
    shapes = Counter(
        tuple(_shape(item.get(key), vocabulary, shown) for key in keys) for item in leftovers
    ).most_common()
    shapes.sort(key=lambda shape: (-shape[1], shape[0]))
    for texts, count in shapes[:_MOST_SHAPES]:
        form = " and ".join(f'"{key}" like "{text}"' for key, text in zip(keys, texts, strict=True))
        yield NotExpressed("items", f'{counted(count, "sampled item")} without "{name}", with {form}: no entity')
    if rest := sum(count for _, count in shapes[_MOST_SHAPES:]):
        yield NotExpressed("items", f'{counted(rest, "sampled item")} without "{name}", with other keys: no entity')


def _repeated(items: Sequence[Item], keys: Sequence[str]) -> frozenset[str]:
    """Words in capitals before other parts of several keys, which are no stored values."""
    first = Counter(
        parts[0]
        for item in items
        for key in keys
        if len(parts := SEPARATOR.split(str(item.get(key, "")))) > 1 and is_word(parts[0]) and parts[0].isupper()
    )
    return frozenset(word for word, count in first.items() if count >= LEAST)


def _shape(value: object, vocabulary: Vocabulary, shown: frozenset[str]) -> str:
    if not isinstance(value, str):
        return _HIDDEN
    return "".join(_part(part, vocabulary, shown) for part in _PART.split(value))


def _part(part: str, vocabulary: Vocabulary, shown: frozenset[str]) -> str:
    is_constant = part in shown or (is_word(part) and (vocabulary.is_generic(part) or vocabulary.is_named(part)))
    return part if not part or SEPARATOR.fullmatch(part) or is_constant else _HIDDEN
