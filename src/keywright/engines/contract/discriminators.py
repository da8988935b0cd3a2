"""Whose item it is, told by its key: where several entities share a place and no attribute names them."""

import re
from collections.abc import Mapping
from functools import lru_cache

from keywright.ir.keytext import Piece, pieces
from keywright.ir.template import parse

from .pages import Work

Keys = tuple[tuple[str, str], ...]
"""(argument, template) of an entity's key templates."""


def is_of(texts: Mapping[str, str | None], work: Work) -> bool:
    """Whether texts of a key can be those of an entity, and no other entity's templates say more about them.

    texts: by the argument of the template; None for a value that is no text, of which nothing is told.
    """
    own = _told(texts, work.keys)
    return own is not None and all((other := _told(texts, one)) is None or other <= own for one in work.others)


def _told(texts: Mapping[str, str | None], keys: Keys) -> int | None:
    """How many characters are constants of the templates; None where the texts are not theirs."""
    told = 0
    for argument, template in keys:
        text = texts.get(argument)
        if argument not in texts or text is None:
            continue
        pattern, constant = _pattern(template)
        if not pattern.fullmatch(text):
            return None
        told += constant
    return told


@lru_cache(maxsize=1024)
def _pattern(template: str) -> tuple[re.Pattern[str], int]:
    """What a template can write as a regular expression, and how many characters of it are always the same."""
    written = pieces(parse(template), ())
    constant = sum(piece.letters is not None and len(piece.letters) == 1 for piece in written)
    return re.compile("".join(map(_of_piece, written)), re.DOTALL), constant


def _of_piece(piece: Piece) -> str:
    signs = "." if piece.letters is None else f"[{re.escape(''.join(sorted(piece.letters)))}]"
    return f"{signs}*" if piece.width is None else f"{signs}{{{piece.width}}}"
