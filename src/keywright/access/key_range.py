"""The part of an ordered key's texts that a pattern reads, and its order."""

from keywright.ir.attribute import Attribute, Scalar
from keywright.ir.entity import resolve
from keywright.ir.key_texts import ANY, Piece, value_piece
from keywright.ir.template import Placeholder, Template
from keywright.record import Record

from .fill import Slot, is_complete
from .query import Condition, Query

RANGES = "between", "at_least", "below"
"""Conditions that bound a field from below or above."""


class Reading(Record):
    """The texts of a template that a query needs: one, those with a prefix, a range, or all."""

    template: Template
    """The template."""
    slots: tuple[Slot, ...]
    """The leading placeholders with one value each."""
    range: tuple[Condition, ...] = ()
    """Conditions that bound the next placeholder."""
    prefix: Condition | None = None
    """The condition that the next placeholder starts with a text."""
    ordered: tuple[str, ...] = ()
    """Fields in whose order the texts ascend, the most significant first."""
    decides: tuple[Condition, ...] = ()
    """Conditions that every text in the range meets."""
    next_piece: Piece = ANY
    """The possible texts of the next placeholder."""

    @property
    def is_one(self) -> bool:
        """Whether it is one text."""
        return len(self.slots) == len(self.template.placeholders)

    @property
    def next(self) -> Placeholder | None:
        """The placeholder after those with one value."""
        open_placeholders = self.template.placeholders[len(self.slots) :]
        return open_placeholders[0] if open_placeholders else None


def reading(template: Template, query: Query, attributes: tuple[Attribute, ...]) -> Reading:
    """The texts of a template that a query reads; conditions that they do not decide become residual filters."""
    slots: list[Slot] = []
    decided: list[Condition] = []
    for placeholder in template.placeholders:
        equal = query.fixed(placeholder.path) if placeholder.path else None
        if equal is None:
            break
        slots.append(Slot(placeholder, "value", equal, piece=value_piece(placeholder, attributes)))
        if is_complete(placeholder):
            decided.append(equal)
    open_placeholders = template.placeholders[len(slots) :]
    ordered = _ordered(open_placeholders, template, attributes)
    ranges: tuple[Condition, ...] = ()
    prefix = None
    if open_placeholders and ordered:  # the texts ascend by the next placeholder
        ranges = tuple(condition for condition in query.on(open_placeholders[0].path) if condition.kind in RANGES)
        # A key condition includes both ends, so a condition that excludes an end is also a residual filter.
        decided += (condition for condition in ranges if condition.kind != "below" and not condition.excludes)
    if open_placeholders and not ranges and not open_placeholders[0].filters:
        prefix = query.first(open_placeholders[0].path, "prefix")
        if prefix is not None and template.parts[-1] is open_placeholders[0]:
            decided.append(prefix)
    fixed = tuple(slot.placeholder.path for slot in slots if is_complete(slot.placeholder))
    piece = value_piece(open_placeholders[0], attributes) if open_placeholders else ANY
    return Reading(template, tuple(slots), ranges, prefix, fixed + ordered, tuple(decided), piece)


def _ordered(
    placeholders: tuple[Placeholder, ...], template: Template, attributes: tuple[Attribute, ...]
) -> tuple[str, ...]:
    """The fields in whose order texts ascend, as long as text order is value order."""
    fields: list[str] = []
    for placeholder in placeholders:
        if not keeps_order(placeholder, template, attributes):
            break
        fields.append(placeholder.path)
    return tuple(fields)


def keeps_order(placeholder: Placeholder, template: Template, attributes: tuple[Attribute, ...]) -> bool:
    """Whether the texts of a placeholder ascend exactly like its values, whatever text follows."""
    attributes_of_path = resolve(attributes, placeholder.path) if placeholder.path else None
    if not attributes_of_path or not isinstance(kind := attributes_of_path[-1].type, Scalar):
        return False
    if template.lone is placeholder:
        return True  # the native value itself
    names = {filter.name for filter in placeholder.filters} - {"tag"}
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
    if template.parts[-1] is placeholder or value_piece(placeholder, attributes).width is not None:
        return True  # of texts with one length, none is the beginning of another
    return _has_lower_separator(placeholder, template, attributes)


def _has_lower_separator(placeholder: Placeholder, template: Template, attributes: tuple[Attribute, ...]) -> bool:
    """Whether the text after a placeholder sorts before all of its characters, so that shorter values come first."""
    after = template.parts[template.parts.index(placeholder) + 1]
    piece = value_piece(placeholder, attributes)
    return isinstance(after, str) and piece.letters is not None and all(letter > after[0] for letter in piece.letters)


def follows(query: Query, ordered: tuple[str, ...]) -> str | None:
    """The direction in which ascending texts have the query's order: `forward`, `backward`, or None for neither.

    Fields with one value are ignored in an order; a query without an order is `forward`.
    """
    open_fields = [field for field in ordered if query.fixed(field) is None]
    order = [ordering for ordering in query.order if query.fixed(ordering.field) is None]
    if [ordering.field for ordering in order] != open_fields[: len(order)]:
        return None
    directions = {ordering.is_descending for ordering in order}
    if len(directions) > 1:
        return None
    return "backward" if directions == {True} else "forward"
