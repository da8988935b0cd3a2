"""Conditions of lightweight transactions: what must be true of a row for it to be changed."""

from keywright.access.request import Asked
from keywright.ir.attribute import Scalar

from .calls_write import Guard
from .layout import Layout
from .order import is_collection, is_embedded, is_ordered

_COMPARED = ("equals", "one_of", "at_least", "below", "not", "present")


def guards(known: Layout, asked: tuple[Asked, ...], *, needs_row: bool) -> tuple[Guard, ...] | str:
    """The conditions as the server judges them, or why it cannot.

    needs_row: whether they must say by themselves that the row is there. A condition that something is not equal holds
    for a row that is not there, which the update would then make; so does one on a static column.
    """
    found: list[Guard] = []
    for one in asked:
        part = known.parts.get(one.field)
        if part is None:
            return f'a condition on "{one.field}", a part of an embedded model, cannot be judged by the server'
        if any(part.name == key.name for key in known.keys):
            return f'a condition on "{one.field}", a part of the key: say it by equality in eq='
        is_whole = is_collection(part.cell) or is_embedded(part.cell)
        if one.how not in _COMPARED or is_whole:
            return f'the server cannot judge whether "{one.field}" {one.how.replace("_", " ")} a value'
        if one.how in ("at_least", "below") and not is_ordered(part.cell):
            return f'the server does not order "{one.field}" as it is ordered in Python'
        needs_row = needs_row or not _proves(one) or part.name in known.statics
        found.append(Guard(part.cell, one))
    proved = any(one.asked and _proves(one.asked) and one.cell.name not in known.statics for one in found)
    if needs_row and not proved:
        there = _always_there(known)
        if there is None:
            return "no field is required, by which a condition would know that the row is there: require one"
        found.append(there)
    return tuple(found)


def _proves(asked: Asked) -> bool:
    """Whether a condition holds only for rows that are there."""
    return asked.how != "not" and None not in (asked.constants or ())


def _always_there(known: Layout) -> Guard | None:
    """A column that every row has."""
    keys = {part.name for part in known.keys} | known.statics
    for attribute in known.attributes:
        part = known.parts.get(attribute.name)
        if part is None or part.name in keys or attribute.is_nullable or not isinstance(attribute.type, Scalar):
            continue
        return Guard(part.cell)
    return None
