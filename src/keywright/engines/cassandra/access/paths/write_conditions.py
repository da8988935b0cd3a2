"""Conditions of lightweight transactions, under which a row is changed."""

from keywright.access.query import Condition
from keywright.ir.attribute import Scalar

from ..calls_write import Guard
from ..layout import Layout
from ..order import is_collection, is_embedded, is_ordered

_ORDERED = ("at_least", "above", "at_most", "below")
_COMPARED = ("equals", "one_of", *_ORDERED, "not", "present")


def guards(layout: Layout, conditions: tuple[Condition, ...], *, needs_row: bool) -> tuple[Guard, ...] | str:
    """The conditions that the server checks, or the reason why it cannot check one.

    needs_row: whether the conditions themselves must require an existing row. A missing row meets a condition with
    "not", and the update would create it; the same is true of a condition on a static column.
    """
    result: list[Guard] = []
    for condition in conditions:
        part = layout.parts.get(condition.field)
        if part is None:
            return f'a condition on "{condition.field}", a part of an embedded model, cannot be checked by the server'
        if any(part.name == key.name for key in layout.keys):
            return f'a condition on "{condition.field}", a part of the key: add it to eq='
        has_parts = is_collection(part.cell) or is_embedded(part.cell)
        if condition.kind not in _COMPARED or has_parts:
            return f'the server cannot check whether "{condition.field}" {condition.kind.replace("_", " ")} a value'
        if condition.kind in _ORDERED and not is_ordered(part.cell):
            return f'the server does not order "{condition.field}" as Python does'
        needs_row = needs_row or not _proves_existence(condition) or part.name in layout.statics
        result.append(Guard(part.cell, condition))
    is_proved = any(
        guard.condition and _proves_existence(guard.condition) and guard.cell.name not in layout.statics
        for guard in result
    )
    if needs_row and not is_proved:
        existence = _existence(layout)
        if existence is None:
            return "no field is required, which a condition needs to test that the row exists: make one required"
        result.append(existence)
    return tuple(result)


def _proves_existence(condition: Condition) -> bool:
    """Whether only an existing row can meet a condition."""
    return condition.kind != "not" and None not in (condition.constants or ())


def _existence(layout: Layout) -> Guard | None:
    """A condition on a column that every row has; None if there is no such column."""
    keys = {part.name for part in layout.keys} | layout.statics
    for attribute in layout.attributes:
        part = layout.parts.get(attribute.name)
        if part is None or part.name in keys or attribute.is_nullable or not isinstance(attribute.type, Scalar):
            continue
        return Guard(part.cell)
    return None
