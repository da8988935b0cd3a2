"""Fills placeholders of a key template with the values of a pattern: values, shards, buckets of time."""

from typing import Literal, TypeAlias

from keywright.ir.attribute import Attribute, Scalar
from keywright.ir.entity import resolve
from keywright.ir.key_texts import ANY, Piece, value_piece
from keywright.ir.template import TIME_WIDTHS, Placeholder, Template, lone
from keywright.record import Record

from .query import Condition, Query

SlotKind: TypeAlias = Literal["value", "values", "buckets", "recent", "shards", "draw", "constants"]
"""Source of a placeholder's values.

`value`: one value of the call. `values`: several values of the call. `buckets`: the time buckets between two times
of the call. `recent`: the last `count` time buckets, newest first. `shards`: all shards. `draw`: one random shard, for
a write. `constants`: all values of the field's type.
"""

BUCKET_SECONDS = {"hour": 3_600, "date": 86_400, "week": 604_800, "month": 2_419_200}
"""The shortest duration of each time bucket; 28 days for a month. It limits the number of buckets of a span."""


class Slot(Record):
    """One placeholder and the source of its values."""

    placeholder: Placeholder
    """The placeholder."""
    kind: SlotKind
    """Source of its values."""
    condition: Condition | None = None
    """The condition with the values, for `value`, `values` and `buckets`."""
    count: int | None = 1
    """The most values; None if unknown."""
    constants: tuple[object, ...] = ()
    """The values, for `constants`."""
    is_complete: bool = True
    """Whether the text contains the whole value of the field, so that equal texts mean equal values."""
    piece: Piece = ANY
    """The possible texts, without the braces of a tag, for separating the parts of a key."""

    @property
    def decides(self) -> Condition | None:
        """The condition that needs no further check: an equality on a text with the whole value."""
        return self.condition if self.is_complete and self.kind in ("value", "values") else None


class Filled(Record):
    """A template with a source of values for every placeholder."""

    template: Template
    """The template."""
    slots: tuple[Slot, ...] = ()
    """One slot for each placeholder, in order."""

    @property
    def fan_out(self) -> int | None:
        """Number of texts of one call; None if unknown."""
        texts = 1
        for slot in self.slots:
            if slot.count is None:
                return None
            texts *= slot.count
        return texts

    @property
    def is_single(self) -> bool:
        """Whether each call has one text."""
        return all(slot.kind in ("value", "draw") for slot in self.slots)

    @property
    def decides(self) -> tuple[Condition, ...]:
        """The conditions that every item under these keys meets."""
        return tuple(slot.decides for slot in self.slots if slot.decides is not None)


class Unfilled(Record):
    """A template with a placeholder that has no value."""

    path: str
    """The field; empty for a shard."""
    reason: str
    """The reason, in one line."""


def is_complete(placeholder: Placeholder, attributes: tuple[Attribute, ...] = ()) -> bool:
    """Whether the text of a placeholder contains the whole value, which a bucket of time or a shard does not.

    A change of case counts as whole, because a key in one case is meant to find values in any case. The day of a date
    field is whole too.
    """
    if not placeholder.filters:
        return True
    names = {filter.name for filter in placeholder.filters}
    if "date" in names and (attributes_of_path := resolve(attributes, placeholder.path)):
        names -= {"date"} if isinstance(kind := attributes_of_path[-1].type, Scalar) and kind.kind == "date" else set()
    return not any(name in BUCKET_SECONDS or name == "shard" for name in names)


def fill(
    template: Template, query: Query, attributes: tuple[Attribute, ...], *, is_write: bool = False
) -> Filled | Unfilled:
    """The filled template, or the first placeholder without a value.

    is_write: whether a shard without a field is drawn, because a write needs one key.
    """
    slots: list[Slot] = []
    for placeholder in template.placeholders:
        slot = slot_of(placeholder, query, attributes, is_write=is_write)
        if isinstance(slot, Unfilled):
            return slot
        slots.append(slot)
    return Filled(template, tuple(slots))


def fill_attribute(
    name: str, template: Template | None, query: Query, attributes: tuple[Attribute, ...], *, is_write: bool = False
) -> Filled | Unfilled:
    """The filled template of an attribute, or the filled field itself; conditions can name the attribute itself."""
    own = lone(name)
    if template is None or query.first(name, "equals", "one_of") is not None:
        return fill(own, query, attributes, is_write=is_write)
    return fill(template, query, attributes, is_write=is_write)


def slot_of(
    placeholder: Placeholder, query: Query, attributes: tuple[Attribute, ...], *, is_write: bool = False
) -> Slot | Unfilled:
    """The slot of one placeholder."""
    path, shards = placeholder.path, placeholder.shards
    if not path:
        return Slot(placeholder, "draw") if is_write else Slot(placeholder, "shards", count=shards)
    if (equal := query.fixed(path)) is not None:
        piece = value_piece(placeholder, attributes)
        return Slot(placeholder, "value", equal, is_complete=is_complete(placeholder, attributes), piece=piece)
    if is_write:
        return Unfilled(path, f'the call has no value of "{path}"')
    if (several := query.first(path, "one_of")) is not None:
        count = None if several.constants is None else len(several.constants)
        has_whole_value, piece = is_complete(placeholder, attributes), value_piece(placeholder, attributes)
        return Slot(placeholder, "values", several, count, is_complete=has_whole_value, piece=piece)
    if shards is not None:
        return Slot(placeholder, "shards", count=shards)
    form = next((filter.name for filter in placeholder.filters if filter.name in TIME_WIDTHS), None)
    if form in BUCKET_SECONDS:
        return _buckets(placeholder, form, query)
    attributes_of_path = resolve(attributes, path)
    kind = attributes_of_path[-1].type if attributes_of_path else None
    is_finite = isinstance(kind, Scalar) and (kind.constants or kind.kind == "boolean")
    if attributes_of_path and isinstance(kind, Scalar) and is_finite and not attributes_of_path[-1].is_nullable:
        values = kind.constants or (False, True)
        return Slot(placeholder, "constants", count=len(values), constants=values)
    return Unfilled(path, f'the pattern has no equality on "{path}"')


def _buckets(placeholder: Placeholder, form: str, query: Query) -> Slot | Unfilled:
    """The buckets of a range, or the newest ones for a pattern in descending order with a number of buckets."""
    path, pattern = placeholder.path, query.pattern
    ranges = query.first(path, "between")
    if ranges is not None:
        span = pattern.span_seconds
        count = None if span is None else -(-span // BUCKET_SECONDS[form]) + 1  # the range can start inside a bucket
        if count is None and pattern.fan_out > 1:
            count = pattern.fan_out
        return Slot(placeholder, "buckets", ranges, count)
    is_newest_first = bool(query.order) and query.order[0].field == path and query.order[0].is_descending
    if is_newest_first and (pattern.fan_out > 1 or pattern.is_fan_out_given):
        return Slot(placeholder, "recent", count=pattern.fan_out)
    return Unfilled(path, f'the pattern has no range on "{path}", which divides the key by {form}')
