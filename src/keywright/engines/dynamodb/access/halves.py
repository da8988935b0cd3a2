"""What a pattern says of the two halves of a key."""

from dataclasses import dataclass, replace

from keywright.access.fill import Filled, Slot, Unfilled, fill
from keywright.access.reading import Reading, reading
from keywright.access.request import Asked, Request
from keywright.ir.template import Template

from .calls import Filling, Span
from .kept import Kept, kept
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

    uses: tuple[Asked, ...]
    """The conditions of the pattern that it uses all the same."""
    reason: str
    """What is missing."""


def halves_of(entity: Entity, route: Route, asked: Request) -> Halves | Missing:
    """What a pattern says of a key."""
    key: list[Filling] = []
    decides: list[Asked] = []
    for part in route.hashes:
        template, kept = template_of(entity, part, asked)
        filled = fill(template, asked, entity.attributes)
        if isinstance(filled, Unfilled):
            return Missing(tuple(decides), filled.reason)
        _decide(decides, filled.slots, kept)
        if reason := _unsuited(filled.slots, kept):
            return Missing(tuple(decides), reason)
        key.append(Filling(part.attribute, part.native, filled))
    if not route.sorts:
        return Halves(tuple(key), (), None, (), tuple(decides), is_whole=True)
    return _with_sort(entity, route, asked, tuple(key), decides)


def _with_sort(
    entity: Entity, route: Route, asked: Request, key: tuple[Filling, ...], decides: list[Asked]
) -> Halves | Missing:
    equal: list[Filling] = []
    ordered: list[str] = []
    span: Span | None = None
    is_whole = True
    for part in route.sorts:
        template, kept = template_of(entity, part, asked)
        if not template.parts[1:] and isinstance(template.parts[0], str) and span is None:
            equal.append(Filling(part.attribute, part.native, Filled(template)))
            continue
        found = _read(part, template, asked, entity, may_repeat=span is None)
        if reason := _unsuited(found.slots, kept):
            return Missing(tuple(decides), reason)
        if span is not None:  # what is behind a part that is read in order orders what is equal in it
            is_whole = False
            if span.reading.is_one or len(span.reading.ordered) == len(span.reading.template.placeholders):
                ordered += ordered_by(found)
            break
        if found.is_one and all(slot.kind == "value" for slot in found.slots):
            equal.append(Filling(part.attribute, part.native, Filled(template, found.slots)))
        else:
            span = Span(part.attribute, part.native, found)
            is_whole = found.is_one
        decides += found.decides
        _decide(decides, found.slots, kept)
        decides += (one for one in found.range if one.how == "below")
        ordered += ordered_by(found)
    return Halves(key, tuple(equal), span, tuple(ordered), tuple(decides), is_whole)


def _unsuited(slots: tuple[Slot, ...], kept: Kept) -> str | None:
    """Why the values of some placeholders make no key that is surely the right one."""
    for at, slot in enumerate(slots):
        if slot.kind == "buckets" and slot.count is None:
            path = slot.placeholder.path
            return f'the pattern does not say span=, by which the buckets of "{path}" are counted'
        if slot.asked is None:
            continue
        if kept.vague[at]:
            return f'one value of "{slot.placeholder.path}" has several texts in a key'
        if slot.asked.constants is not None and None in slot.asked.constants:
            return f'no key holds items of which "{slot.placeholder.path}" is None'
    return None


def _decide(decides: list[Asked], slots: tuple[Slot, ...], kept: Kept) -> None:
    """Add the conditions of equality that hold for all with these texts."""
    for at, slot in enumerate(slots):
        if slot.asked is not None and kept.whole[at] and slot.kind in ("value", "values"):
            decides.append(slot.asked)


def ordered_by(found: Reading) -> tuple[str, ...]:
    """The fields by which what is read ascends, without those of which one value follows the other."""
    several = {slot.placeholder.path for slot in found.slots if slot.kind == "values"}
    return tuple(path for path in found.ordered if path not in several)


def template_of(entity: Entity, part: Part, asked: Request) -> tuple[Template, Kept]:
    """What fills a key attribute, with the computed attributes that the pattern asks for by their own names."""
    if part.template is part.written:
        return part.template, part.kept
    named = {one.field for one in asked.asked if one.field in entity.computed and one.how in ("equals", "one_of")}
    if not named:
        return part.template, part.kept
    template = expanded(part.written, entity.computed, named.__contains__)
    return template, kept(template, part.native, entity.attributes)


def _read(part: Part, template: Template, asked: Request, entity: Entity, *, may_repeat: bool) -> Reading:
    """What is read of a sort key attribute; the first placeholder without one value may have several given ones."""
    if may_repeat:
        for placeholder in template.placeholders:
            if asked.fixed(placeholder.path) is not None:
                continue
            several = asked.one(placeholder.path, "one_of")
            if several is not None:
                return _repeated(template, asked, entity, several)
            break
    found = reading(template, asked, entity.attributes)
    return found if found.is_one else _in_order(part, found)


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


def _in_order(part: Part, found: Reading) -> Reading:
    """The same, where the native values do not come in the order of the fields: only equality is left."""
    is_braced = found.next is not None and found.next.is_tag and found.next.width is None
    if part.is_unordered or is_braced:  # behind the shorter of two texts stands a brace, which comes after letters
        decides = tuple(one for one in found.decides if one not in found.range and one is not found.prefix)
        return replace(found, range=(), prefix=None, ordered=(), decides=decides)
    if found.prefix is not None and part.native == "N":  # only text begins with something
        return replace(found, prefix=None, decides=tuple(one for one in found.decides if one is not found.prefix))
    return found
