"""What the texts of a key keep of the values in them."""

from dataclasses import dataclass

from keywright.access.fill import is_whole
from keywright.ir.attribute import Attribute, Scalar
from keywright.ir.entity import resolve
from keywright.ir.template import Template


@dataclass(frozen=True, slots=True)
class Kept:
    """What the placeholders of a template keep of their values, in order."""

    whole: tuple[bool, ...]
    """Whether equal texts are equal values."""
    vague: tuple[bool, ...]
    """Whether equal values have several texts, as 1.5 and 1.50."""


NUMBERS = ("integer", "float", "decimal", "duration")
"""Kinds that are numbers in a key, or text of which the order is another."""


def kept(template: Template, native: str, attributes: tuple[Attribute, ...]) -> Kept:
    """What the placeholders of a template keep; native: type of the attribute that it fills."""
    whole, vague = [], []
    for one in template.placeholders:
        kind = kind_of(attributes, one.path) if one.path else ""
        is_day = kind == "date" and [filter.name for filter in one.filters] == ["date"]
        whole.append(is_day or is_whole(one))
        is_native = template.lone is one and native == "N"
        vague.append(not is_native and not one.filters and kind in ("decimal", "float"))
    return Kept(tuple(whole), tuple(vague))


def kind_of(attributes: tuple[Attribute, ...], path: str) -> str:
    """The logical kind of a single value; empty for anything else."""
    found = resolve(attributes, path)
    kind = found[-1].type if found else None
    return kind.kind if isinstance(kind, Scalar) else ""
