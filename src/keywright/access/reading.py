"""What part of the texts of an ordered key a pattern reads, and in which order they come."""

from dataclasses import dataclass

from keywright.ir.attribute import Attribute, Scalar
from keywright.ir.entity import resolve
from keywright.ir.keytext import pieces
from keywright.ir.template import Placeholder, Template

from .fill import Slot, is_whole
from .request import Asked, Request

RANGES = "between", "at_least", "below"
"""Conditions that bound a field from below or above."""


@dataclass(frozen=True, slots=True)
class Reading:
    """The texts of a template that a request needs: one, those with a beginning, those between two, or all."""

    template: Template
    """The template."""
    slots: tuple[Slot, ...]
    """The placeholders from the left that have one value each."""
    range: tuple[Asked, ...] = ()
    """Conditions that bound the placeholder behind them."""
    prefix: Asked | None = None
    """The condition that the placeholder behind them begins with a text."""
    ordered: tuple[str, ...] = ()
    """Fields by which the texts that are read ascend, the first one first."""
    decides: tuple[Asked, ...] = ()
    """Conditions that hold for all that is read."""

    @property
    def is_one(self) -> bool:
        """Whether it is one text."""
        return len(self.slots) == len(self.template.placeholders)

    @property
    def next(self) -> Placeholder | None:
        """The placeholder behind those that have one value."""
        rest = self.template.placeholders[len(self.slots) :]
        return rest[0] if rest else None


def reading(template: Template, asked: Request, attributes: tuple[Attribute, ...]) -> Reading:
    """What a request reads of a template's texts; conditions that it does not decide are judged afterwards."""
    slots: list[Slot] = []
    decided: list[Asked] = []
    for placeholder in template.placeholders:
        equal = asked.fixed(placeholder.path) if placeholder.path else None
        if equal is None:
            break
        slots.append(Slot(placeholder, "value", equal))
        if is_whole(placeholder):
            decided.append(equal)
    rest = template.placeholders[len(slots) :]
    ordered = _ordered(rest, template, attributes)
    ranges: tuple[Asked, ...] = ()
    prefix = None
    if rest and ordered:  # the texts ascend by the next placeholder
        ranges = tuple(one for one in asked.on(rest[0].path) if one.how in RANGES)
        # The end of `below` is not part of it, and a key condition has both its ends: that one is judged again.
        decided += (one for one in ranges if one.how != "below")
    if rest and not ranges and not rest[0].filters:
        prefix = asked.one(rest[0].path, "prefix")
        if prefix is not None and template.parts[-1] is rest[0]:
            decided.append(prefix)
    fixed = tuple(slot.placeholder.path for slot in slots if is_whole(slot.placeholder))
    return Reading(template, tuple(slots), ranges, prefix, fixed + ordered, tuple(decided))


def _ordered(rest: tuple[Placeholder, ...], template: Template, attributes: tuple[Attribute, ...]) -> tuple[str, ...]:
    """The fields by which texts ascend, as far as text order is value order."""
    found: list[str] = []
    for placeholder in rest:
        if not keeps_order(placeholder, template, attributes):
            break
        found.append(placeholder.path)
    return tuple(found)


def keeps_order(placeholder: Placeholder, template: Template, attributes: tuple[Attribute, ...]) -> bool:
    """Whether the texts of a placeholder ascend exactly as its values do, whatever stands behind it."""
    found = resolve(attributes, placeholder.path) if placeholder.path else None
    if not found or not isinstance(kind := found[-1].type, Scalar):
        return False
    if template.lone is placeholder:
        return True  # the native value itself
    names = {one.name for one in placeholder.filters} - {"tag"}
    if names == {"iso"} or names == {"pad"}:
        return True
    if kind.kind == "date":
        return names <= {"date"}
    if names:
        return False
    if kind.kind == "datetime" or (kind.kind == "uuid"):
        return True
    if kind.kind != "string":
        return False
    if template.parts[-1] is placeholder or (kind.min_length is not None and kind.min_length == kind.max_length):
        return True
    return _ends_lowest(placeholder, template, attributes)


def _ends_lowest(placeholder: Placeholder, template: Template, attributes: tuple[Attribute, ...]) -> bool:
    """Whether what stands behind a text comes before every letter of it, so that a shorter one still comes first."""
    after = template.parts[template.parts.index(placeholder) + 1]
    (piece,) = pieces(Template("", (placeholder,)), attributes)
    return isinstance(after, str) and piece.letters is not None and all(letter > after[0] for letter in piece.letters)


def follows(wanted: Request, ordered: tuple[str, ...]) -> str | None:
    """Whether texts that ascend by some fields come in the wanted order: `forward`, `backward`, or None for neither.

    Fields with one value count for nothing in an order; a request without one is `forward`.
    """
    open_fields = [field for field in ordered if wanted.fixed(field) is None]
    order = [one for one in wanted.order if wanted.fixed(one.field) is None]
    if [one.field for one in order] != open_fields[: len(order)]:
        return None
    directions = {one.is_descending for one in order}
    if len(directions) > 1:
        return None
    return "backward" if directions == {True} else "forward"
