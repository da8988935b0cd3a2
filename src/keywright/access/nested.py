"""Fields inside of other fields, as writes reach them."""

from collections.abc import Sequence

from keywright.ir.attribute import Attribute, Many, Map


def unreachable(found: Sequence[Attribute]) -> str | None:
    """Why a write that names a field cannot change it alone; None where it can.

    found: the attributes along its path.
    """
    path, outer = ".".join(one.name for one in found), found[:-1]
    if any(isinstance(one.type, (Many, Map)) for one in outer):
        return f'"{path}" is inside a list or map: set the whole of it'
    if any(one.is_nullable for one in outer):
        return f'"{path}" is inside of something that may be None: set the whole of it'
    return None
