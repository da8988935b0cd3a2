"""Which conditions can be judged exactly on an item that was read."""

from keywright.access.request import Asked
from keywright.ir.attribute import Many, Scalar, Struct
from keywright.ir.entity import resolve

from .layout import Layout

_OF_SCALARS = ("equals", "one_of", "between", "at_least", "below", "not", "present")
_OF_LISTS = ("contains", "all_of", "exactly", "present")


def is_judged(known: Layout, asked: Asked) -> bool:
    """Whether Python tells from the value of a field alone if a condition holds."""
    found = resolve(known.attributes, asked.field)
    if not found or any(not isinstance(one.type, Struct) for one in found[:-1]):
        return False
    kind = found[-1].type
    if isinstance(kind, Many):
        return asked.how in _OF_LISTS
    if not isinstance(kind, Scalar) or kind.kind == "json":
        return asked.how == "present"
    return asked.how in _OF_SCALARS or (asked.how == "prefix" and kind.kind == "string")
