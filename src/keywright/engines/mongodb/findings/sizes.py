"""Sizes of fields of which only bounds are declared."""

from keywright.ir.attribute import Many, Map, Scalar, Struct, Tuple, Type

_SMALL = 16
"""Bytes of a number, a time or an identifier, with its name."""
_TEXT = 128
"""Bytes of a text without a bound."""


def half_of_bound(kind: Type) -> float:
    """Bytes of a value at half of its declared bounds; a guess where there is none."""
    if kind.facts.average_bytes is not None:
        return kind.facts.average_bytes
    match kind:
        case Scalar(kind="string" | "bytes", max_length=length):
            return (length / 2 if length is not None else _TEXT) + _SMALL
        case Scalar():
            return _SMALL
        case Many(element=element, max_items=count):
            return (count or 2) / 2 * half_of_bound(element)
        case Map(value=value, max_items=count):
            return (count or 2) / 2 * (half_of_bound(value) + _SMALL)
        case Tuple(elements=elements):
            return sum(map(half_of_bound, elements))
        case Struct(attributes=attributes):
            return sum(half_of_bound(attribute.type) for attribute in attributes)
