"""Information about placeholder values that the texts of a key preserve."""

from keywright.access.fill import is_complete
from keywright.ir.attribute import Attribute, Scalar
from keywright.ir.entity import resolve
from keywright.ir.template import Template
from keywright.record import Record


class KeptValues(Record):
    """Information that key texts preserve about the values of a template's placeholders, in order."""

    is_exact: tuple[bool, ...]
    """Per placeholder, whether equal texts mean equal values."""
    is_ambiguous: tuple[bool, ...]
    """Per placeholder, whether equal values can have several texts, as 1.5 and 1.50."""


NUMBERS = ("integer", "float", "decimal", "duration")
"""Kinds that are numbers in a key, or text with another order."""


def kept_in(template: Template, native: str, attributes: tuple[Attribute, ...]) -> KeptValues:
    """Information that texts preserve about the values of a template; native: type of the attribute that it fills."""
    is_exact, is_ambiguous = [], []
    for placeholder in template.placeholders:
        kind = kind_of(attributes, placeholder.path) if placeholder.path else ""
        is_day = kind == "date" and [filter.name for filter in placeholder.filters] == ["date"]
        is_exact.append(is_day or is_complete(placeholder))
        is_native = template.lone is placeholder and native == "N"
        is_ambiguous.append(not is_native and not placeholder.filters and kind in ("decimal", "float"))
    return KeptValues(tuple(is_exact), tuple(is_ambiguous))


def kind_of(attributes: tuple[Attribute, ...], path: str) -> str:
    """Logical kind of a single value; empty for any other field."""
    resolved = resolve(attributes, path)
    kind = resolved[-1].type if resolved else None
    return kind.kind if isinstance(kind, Scalar) else ""
