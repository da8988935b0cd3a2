"""What a pattern says of the two halves of a key."""

from dataclasses import dataclass, replace

from keywright.access.fill import Filled, Slot, Unfilled, fill, is_whole
from keywright.access.reading import Reading, reading
from keywright.access.request import Asked, Request
from keywright.ir.attribute import Scalar
from keywright.ir.entity import resolve
from keywright.ir.template import Placeholder, Template

from .calls import Filling, Span
from .layout import Entity, Part, Route
from .templates import expanded


@dataclass(frozen=True, slots=True)
class Halves:
    """What a pattern says of the key of a route."""

    key: tuple[Filling, ...]
    """The partition half."""
    equal: tuple[Filling, ...]
    """Leading attributes of the sort half with one value."""
    span: Span | None
    """What is read of the next."""
    ordered: tuple[str, ...]
    """Fields by which what is read ascends."""
    decides: tuple[Asked, ...]
    """Conditions that hold for all that is read."""
    is_whole: bool
    """Whether each is a whole key."""

    @property
    def slots(self) -> tuple[Slot, ...]:
        """Whatever has several values."""
        found = [slot for filling in self.key for slot in filling.filled.slots]
        if self.span is not None:
            found += self.span.reading.slots
        return tuple(slot for slot in found if slot.kind not in ("value", "draw"))


@dataclass(frozen=True, slots=True)
class Missing:
    """A key whose partition half is not given."""

    depth: int
    """How many of its attributes are."""
    reason: str
    """What is missing."""


def halves_of(entity: Entity, route: Route, asked: Request) -> Halves | Missing:
    """What a pattern says of a key."""
    key: list[Filling] = []
    decides: list[Asked] = []
    for part in route.hashes:
        template = template_of(entity, part, asked)
        filled = fill(template, asked, entity.attributes)
        if isinstance(filled, Unfilled):
            return Missing(len(key), filled.reason)
        for slot in filled.slots:
            if slot.kind == "buckets" and slot.count is None:
                return Missing(
                    len(key),
                    f'the pattern does not say span=, by which the buckets of "{slot.placeholder.path}" are counted',
                )
            if several_texts(entity, part, slot.placeholder):
                return Missing(len(key), f'one value of "{slot.placeholder.path}" has several texts in a key')
            if _is_null(slot):
                return Missing(len(key), f'no key holds items of which "{slot.placeholder.path}" is None')
        key.append(Filling(part.attribute, part.native, filled))
        decides += decided_by(entity, filled.slots)
    return _with_sort(entity, route, asked, tuple(key), decides)


def _with_sort(
    entity: Entity, route: Route, asked: Request, key: tuple[Filling, ...], decides: list[Asked]
) -> Halves | Missing:
    equal: list[Filling] = []
    ordered: list[str] = []
    span: Span | None = None
    is_whole = True
    for part in route.sorts:
        template = template_of(entity, part, asked)
        found = _in_order(entity, part, _read(template, asked, entity, may_repeat=span is None))
        if null := next((slot for slot in found.slots if _is_null(slot)), None):
            return Missing(len(key), f'no key holds items of which "{null.placeholder.path}" is None')
        if span is None and found.is_one and all(slot.kind == "value" for slot in found.slots):
            equal.append(Filling(part.attribute, part.native, Filled(template, found.slots)))
        elif span is None:
            span = Span(part.attribute, part.native, found)
            is_whole = found.is_one
        else:
            is_whole = False
            if not span.reading.is_one and len(span.reading.ordered) < len(span.reading.template.placeholders):
                break
            ordered += ordered_by(found)
            break
        decides += (
            *found.decides,
            *decided_by(entity, found.slots),
            *(one for one in found.range if one.how == "below"),
        )
        ordered += ordered_by(found)
    return Halves(key, tuple(equal), span, tuple(ordered), tuple(decides), is_whole)


def decided_by(entity: Entity, slots: tuple[Slot, ...]) -> tuple[Asked, ...]:
    """The conditions of equality that keys decide: by the whole value, which of a date is its day."""
    found: list[Asked] = []
    for slot in slots:
        is_day = [one.name for one in slot.placeholder.filters] == ["date"] and _kind(
            entity, slot.placeholder
        ) == "date"
        if slot.asked is not None and slot.kind in ("value", "values") and (is_whole(slot.placeholder) or is_day):
            found.append(slot.asked)
    return tuple(found)


def _is_null(slot: Slot) -> bool:
    """Whether a constant asks for what is not there."""
    return slot.asked is not None and slot.kind in ("value", "values") and None in (slot.asked.constants or ())


def ordered_by(found: Reading) -> tuple[str, ...]:
    """The fields by which what is read ascends, without those of which one value follows the other."""
    several = {slot.placeholder.path for slot in found.slots if slot.kind == "values"}
    return tuple(path for path in found.ordered if path not in several)


def template_of(entity: Entity, part: Part, asked: Request) -> Template:
    """What fills a key attribute, with the computed attributes that the pattern asks for by their own names."""
    if part.template is part.written:
        return part.template
    named = {one.field for one in asked.asked if one.field in entity.computed and one.how in ("equals", "one_of")}
    if not named:
        return part.template
    return expanded(part.written, entity.computed, named.__contains__)


def _read(template: Template, asked: Request, entity: Entity, *, may_repeat: bool) -> Reading:
    """What is read of a sort key attribute; the first placeholder without one value may have several given ones."""
    if may_repeat:
        for placeholder in template.placeholders:
            if asked.fixed(placeholder.path) is not None:
                continue
            several = asked.one(placeholder.path, "one_of")
            if several is not None:
                return _repeated(template, asked, entity, several)
            break
    return reading(template, asked, entity.attributes)


def _repeated(template: Template, asked: Request, entity: Entity, several: Asked) -> Reading:
    """What is read for each of several values: as if it were one."""
    single = Asked(several.field, "equals")
    one_each = replace(asked, asked=tuple(single if one is several else one for one in asked.asked))
    found = reading(template, one_each, entity.attributes)
    count = None if several.constants is None else len(several.constants)
    slots = tuple(
        Slot(slot.placeholder, "values", several, count) if slot.asked is single else slot for slot in found.slots
    )
    return replace(found, slots=slots, decides=tuple(several if one is single else one for one in found.decides))


def _in_order(entity: Entity, part: Part, found: Reading) -> Reading:
    """The same, where the native values do not come in the order of the fields: only equality is left."""
    placeholder = found.next
    if placeholder is None:
        return found
    is_lone = found.template.lone is placeholder
    if is_lone and part.native == "S" and _kind(entity, placeholder) in ("integer", "float", "decimal", "duration"):
        decides = tuple(one for one in found.decides if one not in found.range and one is not found.prefix)
        return replace(found, range=(), prefix=None, ordered=(), decides=decides)
    if found.prefix is not None and is_lone and part.native == "N":
        return replace(found, prefix=None, decides=tuple(one for one in found.decides if one is not found.prefix))
    return found


def several_texts(entity: Entity, part: Part, placeholder: Placeholder) -> bool:
    """Whether equal values of a field have different texts in a key, as 1.5 and 1.50."""
    is_native = part.template.lone is placeholder and part.native == "N"
    return not is_native and not placeholder.filters and _kind(entity, placeholder) in ("decimal", "float")


def _kind(entity: Entity, placeholder: Placeholder) -> str:
    found = resolve(entity.attributes, placeholder.path) if placeholder.path else None
    kind = found[-1].type if found else None
    return kind.kind if isinstance(kind, Scalar) else ""
