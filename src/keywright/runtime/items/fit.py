"""Checks at run time that keep keys distinct: text that does not fit its place in a key is rejected before sending.

The check of declarations proves from the fields' types and patterns that no two items share a key. A value that these
do not allow, such as the argument of a call or the field of an unvalidated instance, would break the proof.
"""

import re
from collections.abc import Callable
from itertools import pairwise
from typing import NoReturn

from keywright.ir.key_texts import Piece, expression
from keywright.ir.template import Placeholder
from keywright.ir.text import counted

from ..errors import Unstorable

Fit = Callable[[str], str]
"""Returns a text unchanged; raises InvalidValue for a text that does not fit its place in a key."""


def fit(template: str, placeholder: Placeholder, piece: Piece, *, is_part: bool = False) -> Fit | None:
    """The check of a placeholder's text; None if any text fits.

    piece: the text that the check of declarations assumes, without the braces of a tag. is_part: whether the text may
    be the beginning of a value, or the end of a range, of any length.
    """
    piece = Piece(piece.letters, None) if is_part else piece
    if placeholder.width is not None or (piece.letters is None and piece.width is None):
        return None  # a filter with a width writes text of that width, or raises
    body = expression(piece)
    matches = re.compile(rf"\{{{body}\}}" if placeholder.is_tag else body, re.DOTALL).fullmatch

    def fits(text: str) -> str:
        if not isinstance(text, str) or matches(text) is None:
            _refuse(template, placeholder.path, type(text).__name__, piece)
        return text

    return fits


def _refuse(template: str, path: str, given: str, piece: Piece) -> NoReturn:
    letters = f' of "{_shortened(piece.letters)}"' if piece.letters is not None else ""
    amount = "only characters" if piece.width is None else f"exactly {counted(piece.width, 'character')}"
    help = "pass a value that the field's type and pattern allow: another value could be the key of another item"
    raise Unstorable(f'its place in the key "{template}" takes {amount}{letters}', path, given, help)


def _shortened(letters: frozenset[str]) -> str:
    """Characters in order, with runs shortened as in a regular expression."""
    runs: list[list[str]] = []
    ordered = sorted(letters)
    for before, letter in pairwise(["", *ordered]):
        if before and ord(letter) == ord(before) + 1:
            runs[-1].append(letter)
        else:
            runs.append([letter])
    return "".join(f"{run[0]}-{run[-1]}" if len(run) > 2 else "".join(run) for run in runs)
