"""How the placeholders of a key template are filled by what a pattern asks: values, shards, buckets of time."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, TypeAlias

from keywright.ir.attribute import Attribute, Scalar
from keywright.ir.entity import resolve
from keywright.ir.template import TIME_WIDTHS, Placeholder, Template, parse

from .request import Asked, Request

SlotKind: TypeAlias = Literal["value", "values", "buckets", "recent", "shards", "draw", "constants"]
"""Where the values of a placeholder come from.

`value`: one value of the call. `values`: several of the call. `buckets`: the forms of time between two moments of the
call. `recent`: the last `count` forms of time, newest first. `shards`: all of them. `draw`: one shard at random, for a
write. `constants`: all values that the field's type has.
"""

BUCKET_SECONDS = {"hour": 3_600, "date": 86_400, "week": 604_800, "month": 2_419_200}
"""The shortest time that a form of time covers; of a month, 28 days: how many of them a span may touch goes by it."""


@dataclass(frozen=True, slots=True)
class Slot:
    """One placeholder and what fills it."""

    placeholder: Placeholder
    """The placeholder."""
    kind: SlotKind
    """Where its values come from."""
    asked: Asked | None = None
    """The condition that gives them, for `value`, `values` and `buckets`."""
    count: int | None = 1
    """How many values there are at the most; None where nothing says so."""
    constants: tuple[object, ...] = ()
    """The values, for `constants`."""
    is_whole: bool = True
    """Whether the text keeps the whole value of the field, so that equal texts mean equal values."""

    @property
    def decides(self) -> Asked | None:
        """The condition that needs no further check: equality through a form that keeps the whole value."""
        return self.asked if self.is_whole and self.kind in ("value", "values") else None


@dataclass(frozen=True, slots=True)
class Filled:
    """A template of which every placeholder is filled."""

    template: Template
    """The template."""
    slots: tuple[Slot, ...] = ()
    """One for each placeholder, in order."""

    @property
    def fan_out(self) -> int | None:
        """How many texts it makes for one call; None where nothing says so."""
        found = 1
        for slot in self.slots:
            if slot.count is None:
                return None
            found *= slot.count
        return found

    @property
    def is_single(self) -> bool:
        """Whether it makes one text for each call."""
        return all(slot.kind in ("value", "draw") for slot in self.slots)

    @property
    def decides(self) -> tuple[Asked, ...]:
        """The conditions that hold for everything under these keys."""
        return tuple(slot.decides for slot in self.slots if slot.decides is not None)


@dataclass(frozen=True, slots=True)
class Unfilled:
    """A template with a placeholder that nothing fills."""

    path: str
    """The field; empty for a shard."""
    reason: str
    """Why not."""


def is_whole(placeholder: Placeholder, attributes: tuple[Attribute, ...] = ()) -> bool:
    """Whether the text of a placeholder keeps its whole value: no bucket of time, and no shard.

    A change of case counts as whole: who keys by it wants to find values however they are written. The day of a field
    that is a date is whole too.
    """
    if not placeholder.filters:
        return True
    names = {one.name for one in placeholder.filters}
    if "date" in names and (found := resolve(attributes, placeholder.path)):
        names -= {"date"} if isinstance(kind := found[-1].type, Scalar) and kind.kind == "date" else set()
    return not any(name in BUCKET_SECONDS or name == "shard" for name in names)


def fill(
    template: Template, asked: Request, attributes: tuple[Attribute, ...], *, is_write: bool = False
) -> Filled | Unfilled:
    """How a template is filled, or the first placeholder that is not.

    is_write: a shard without a field is drawn, and only one key is wanted.
    """
    slots: list[Slot] = []
    for placeholder in template.placeholders:
        slot = slot_of(placeholder, asked, attributes, is_write=is_write)
        if isinstance(slot, Unfilled):
            return slot
        slots.append(slot)
    return Filled(template, tuple(slots))


def fill_attribute(
    name: str, template: Template | None, asked: Request, attributes: tuple[Attribute, ...], *, is_write: bool = False
) -> Filled | Unfilled:
    """How an attribute that a template makes, or a field by itself, is filled; it may be asked for by its own name."""
    own = lone(name)
    if template is None or asked.one(name, "equals", "one_of") is not None:
        return fill(own, asked, attributes, is_write=is_write)
    return fill(template, asked, attributes, is_write=is_write)


@lru_cache(maxsize=4096)
def lone(name: str) -> Template:
    """The template that is one field and nothing else."""
    return parse(f"{{{name}}}")


def slot_of(
    placeholder: Placeholder, asked: Request, attributes: tuple[Attribute, ...], *, is_write: bool = False
) -> Slot | Unfilled:
    """How one placeholder is filled."""
    path, shards = placeholder.path, placeholder.shards
    if not path:
        return Slot(placeholder, "draw") if is_write else Slot(placeholder, "shards", count=shards)
    if (equal := asked.fixed(path)) is not None:
        return Slot(placeholder, "value", equal, is_whole=is_whole(placeholder, attributes))
    if is_write:
        return Unfilled(path, f'the call does not say "{path}"')
    if (several := asked.one(path, "one_of")) is not None:
        count = None if several.constants is None else len(several.constants)
        return Slot(placeholder, "values", several, count, is_whole=is_whole(placeholder, attributes))
    if shards is not None:
        return Slot(placeholder, "shards", count=shards)
    form = next((one.name for one in placeholder.filters if one.name in TIME_WIDTHS), None)
    if form in BUCKET_SECONDS:
        return _buckets(placeholder, form, asked)
    found = resolve(attributes, path)
    kind = found[-1].type if found else None
    is_finite = isinstance(kind, Scalar) and (kind.constants or kind.kind == "boolean")
    if found and isinstance(kind, Scalar) and is_finite and not found[-1].is_nullable:
        values = kind.constants or (False, True)
        return Slot(placeholder, "constants", count=len(values), constants=values)
    return Unfilled(path, f'the pattern does not say "{path}" by equality')


def _buckets(placeholder: Placeholder, form: str, asked: Request) -> Slot | Unfilled:
    """The buckets of a range, or the last ones where the newest are wanted first and the pattern says how many."""
    path, pattern = placeholder.path, asked.pattern
    ranges = asked.one(path, "between")
    if ranges is not None:
        span = pattern.span_seconds
        count = None if span is None else -(-span // BUCKET_SECONDS[form]) + 1  # it may begin inside a bucket
        if count is None and pattern.fan_out > 1:
            count = pattern.fan_out
        return Slot(placeholder, "buckets", ranges, count)
    is_newest_first = bool(asked.order) and asked.order[0].field == path and asked.order[0].is_descending
    if is_newest_first and pattern.fan_out > 1:
        return Slot(placeholder, "recent", count=pattern.fan_out)
    return Unfilled(path, f'the pattern says no range of "{path}", by which the key is cut into a {form} each')
