"""The one owner of a text that is the whole key of a row."""

from keywright.ir.attribute import Attribute, Scalar
from keywright.ir.binding import Binding

from ..access.layout import Layout
from ..declare.options import CqlTable
from .changes import words

_OWNERS = frozenset(("owner", "holder", "registrant", "claimant"))
"""Words in names of fields with the one to whom the key belongs."""

_IDS = frozenset(("id", "uuid"))


def sole_owner(binding: Binding[CqlTable], layout: Layout) -> str:
    """The field that gives the one owner of a text that is the whole key, such as the holder of a call sign, by its
    reference or its name.
    """
    kind = layout.keys[0].cell.type
    if (
        len(layout.keys) != 1
        or words(layout.keys[0].cell.field)[-1] in _IDS
        or not isinstance(kind, Scalar)
        or kind.kind != "string"
        or kind.facts.reference
    ):
        return ""
    return next((attribute.name for attribute in binding.entity.attributes if _is_sole(attribute)), "")


def _is_sole(attribute: Attribute) -> bool:
    """Whether a field gives the one owner: a reference that one item has at most, or a required `owner` or `holder`."""
    kind = attribute.type
    reference, name = kind.facts.reference, [word for word in words(attribute.name) if word not in _IDS]
    is_owner = isinstance(kind, Scalar) and kind.kind in ("string", "uuid", "integer") and not attribute.is_nullable
    is_named = len(name) == 1 and name[0] in _OWNERS and not (reference and reference.max_referrers)
    return (reference is not None and reference.max_referrers == 1) or (is_owner and is_named)
