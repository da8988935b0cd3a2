"""The conditions that can be checked exactly on an item after reading."""

from keywright.access.query import Condition
from keywright.ir.attribute import Many, Scalar, Struct
from keywright.ir.entity import resolve

from ..layout import Layout
from ..order import is_timed

_OF_SCALARS = ("equals", "one_of", "between", "at_least", "above", "at_most", "below", "not", "present")
_OF_LISTS = ("contains", "all_of", "exactly", "present")


def is_exact(layout: Layout, condition: Condition) -> bool:
    """Whether Python can check a condition by the value of a field alone."""
    attributes = resolve(layout.attributes, condition.field)
    if not attributes or any(not isinstance(attribute.type, Struct) for attribute in attributes[:-1]):
        return False
    kind = attributes[-1].type
    if isinstance(kind, Many):
        return condition.kind in _OF_LISTS
    if not isinstance(kind, Scalar) or kind.kind == "json":
        return condition.kind == "present"
    part = layout.part(condition.field)
    if part is not None and part.cell.native == "float":
        return condition.kind == "present"  # the caller's number has more digits than the stored one
    if part is not None and is_timed(part.cell) and condition.kind == "between":
        return False
    return condition.kind in _OF_SCALARS or (condition.kind == "prefix" and kind.kind == "string")
