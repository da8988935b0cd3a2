"""The entity of an item from its key, if several entities share a place and no attribute names them."""

import re
from collections.abc import Mapping
from functools import lru_cache

from keywright.ir.key_texts import expression, pieces
from keywright.ir.template import parse

from .pages import Work

Keys = tuple[tuple[str, str], ...]
"""(argument, template) of an entity's key templates."""


def is_of(texts: Mapping[str, str | None], work: Work) -> bool:
    """Whether texts of a key match an entity's templates, and no other entity's templates match more specifically.

    texts: by the argument of the template; None for a value that is not text, which matches every template.
    """
    own = _constant_length(texts, work.keys)
    others = (_constant_length(texts, keys) for keys in work.others)
    return own is not None and all(other is None or other <= own for other in others)


def fits(texts: Mapping[str, str | None], keys: Keys) -> bool:
    """Whether key templates can produce the texts of a key."""
    return _constant_length(texts, keys) is not None


def _constant_length(texts: Mapping[str, str | None], keys: Keys) -> int | None:
    """The number of constant characters in the templates; None if the texts do not match."""
    length = 0
    for argument, template in keys:
        text = texts.get(argument)
        if argument not in texts or text is None:
            continue
        pattern, constant = _pattern(template)
        if not pattern.fullmatch(text):
            return None
        length += constant
    return length


@lru_cache(maxsize=1024)
def _pattern(template: str) -> tuple[re.Pattern[str], int]:
    """A template as a regular expression, and its number of constant characters."""
    template_pieces = pieces(parse(template), ())
    constant = sum(piece.letters is not None and len(piece.letters) == 1 for piece in template_pieces)
    return re.compile("".join(map(expression, template_pieces)), re.DOTALL), constant
