"""What is read of a sort key: the texts and values between which its items are."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from keywright.access.fill import Filled
from keywright.access.request import Asked
from keywright.engines.dynamodb.access.calls import Span
from keywright.errors import UsageError
from keywright.ir.attribute import Scalar
from keywright.ir.binding import Binding
from keywright.ir.entity import resolve
from keywright.ir.template import Placeholder, Template
from keywright.runtime import text as forms
from keywright.runtime.fill import alternatives, writer
from keywright.runtime.given import Given, argument

from .natives import Native, expires, ordered, writer_of

LAST = "\U0010ffff"
"""Behind every other character."""

Key = dict[str, Native]


@dataclass(frozen=True, slots=True)
class Spot:
    """One partition that a call asks, and what of it."""

    attribute: str = ""
    """The sort attribute that is read in part; empty for none."""
    test: str = ""
    """`=`, `begins_with`, `BETWEEN`, `>=`, `<=`, `<`; empty for all."""
    ends: tuple[Native, ...] = ()
    """What it is compared with."""
    skip: int = 0
    """Characters at its beginning that are no part of its order."""
    is_empty: bool = False
    """Whether nothing can be there: a range that ends before it begins."""
    excluded: Native | None = None
    """A value inside the range that does not belong to it."""
    group: str = ""
    """The bucket of time that it belongs to, where buckets are asked one after the other; else empty."""
    key: Key = field(default_factory=dict)
    """The partition half, and leading sort attributes with one value."""
    id: str = ""
    """What tells it from the other spots of the call, whichever read copy is asked."""


def spans_of(binding: Binding, span: Span) -> Callable[[Given], list[Spot]]:
    """A function from a call to what is read of a sort key attribute."""
    reading = span.reading
    lone = reading.template.lone
    if lone is not None:
        return _lone_spans(binding, span, lone)
    before = _beginning(reading.template, len(reading.slots))
    beginnings = values_of(Filled(before, reading.slots))
    has_several = any(slot.kind == "values" for slot in reading.slots)
    bounds = _Bounds(binding, reading.template, len(reading.slots), reading.range) if reading.range else None

    def made(given: Given) -> list[Spot]:
        found = []
        for words in beginnings(given):
            texts = iter([forms.text(word) for word in words])
            head = "".join(part if isinstance(part, str) else next(texts) for part in before.parts)
            skip = len(head) if has_several else 0
            if reading.is_one:
                spot = Spot(span.attribute, "=", ({"S": head},), skip)
            elif bounds is not None:
                spot = bounds.spot(span.attribute, head, given, skip)
            else:
                further = given.of(reading.prefix)[0] if reading.prefix is not None else ""
                spot = _prefixed(span.attribute, head + further, skip)
            found.append(spot)
        return found

    return made


def _prefixed(attribute: str, head: str, skip: int) -> Spot:
    """All that begins so; an empty beginning is refused by the service."""
    return Spot(attribute, "begins_with", ({"S": head},), skip) if head else Spot(skip=skip)


def _beginning(template: Template, filled: int) -> Template:
    """A template up to the first placeholder that has no value."""
    parts: list[str | Placeholder] = []
    for part in template.parts:
        if isinstance(part, Placeholder):
            filled -= 1
            if filled < 0:
                break
        parts.append(part)
    return Template(template.text, tuple(parts))


class _Bounds:
    """The two ends of a range inside the texts of a template."""

    def __init__(self, binding: Binding, template: Template, filled: int, range: tuple[Asked, ...]) -> None:
        self.range, self.path = range, range[0].field
        places = [at for at, part in enumerate(template.parts) if isinstance(part, Placeholder)]
        at = places[filled]
        placeholder = template.parts[at]
        assert isinstance(placeholder, Placeholder)
        self.write = writer(placeholder)
        rest = template.parts[at + 1 :]
        following = rest[0] if rest else ""
        self.has_more = bool(rest)
        # What stands behind the value in every text, and the first character behind that.
        self.beyond = chr(ord(following[0]) + 1) if isinstance(following, str) and following else LAST
        self.width = _width(binding, placeholder) if rest else None

    def spot(self, attribute: str, head: str, given: Given, skip: int) -> Spot:
        low, high, is_below = ends_of(self.range, given)
        if low is None and high is None:
            return _prefixed(attribute, head, skip)
        first = head if low is None else head + self._low(low)
        last = head + LAST if high is None else head + self._high(high, is_below=is_below)
        if not first:
            spot = Spot(attribute, "<=", ({"S": last},), skip)
        elif high is None and not head:
            spot = Spot(attribute, ">=", ({"S": first},), skip)
        else:
            spot = Spot(attribute, "BETWEEN", ({"S": first}, {"S": last}), skip, is_empty=first > last)
        is_in = is_below and high is not None and not self.has_more
        return replace(spot, excluded={"S": last}) if is_in else spot

    def _low(self, value: Any) -> str:
        text = self.write(value)
        if self.width is not None and len(text) > self.width:
            return text[: self.width] + self.beyond  # what is as long as all of them, and equal so far, is smaller
        return text

    def _high(self, value: Any, *, is_below: bool) -> str:
        text = self.write(value)
        if self.width is not None and len(text) != self.width:
            return text[: self.width] + (self.beyond if len(text) > self.width else "")
        return text if is_below or not self.has_more else text + self.beyond


def _width(binding: Binding, placeholder: Placeholder) -> int | None:
    """Characters of a text field whose values all have as many."""
    found = resolve(binding.entity.attributes, placeholder.path)
    kind = found[-1].type if found else None
    is_text = isinstance(kind, Scalar) and kind.kind == "string" and not placeholder.filters
    return kind.max_length if is_text and isinstance(kind, Scalar) and kind.min_length == kind.max_length else None


def ends_of(range: tuple[Asked, ...], given: Given) -> tuple[Any, Any, bool]:
    """(first, last, whether the last is no part of it): the narrowest of all conditions; None for an open end."""
    low: Any = None
    high: Any = None
    is_below = False
    for one in range:
        values = [forms.plain(value) for value in given.of(one)]
        if one.how != "below" and values[0] is not None and (low is None or values[0] > low):
            low = values[0]
        top = values[1] if one.how == "between" else values[0] if one.how == "below" else None
        if top is not None and (high is None or top < high or (top == high and one.how == "below")):
            high, is_below = top, one.how == "below"
    return low, high, is_below


def _lone_spans(binding: Binding, span: Span, lone: Placeholder) -> Callable[[Given], list[Spot]]:
    """A function from a call to what is read of a sort key that is a field by itself."""
    reading, name = span.reading, span.attribute
    write = writer_of(binding, lone.path, span.native)
    is_rounded = span.native == "N" and expires(binding, lone.path)

    values = values_of(Filled(reading.template, reading.slots)) if reading.is_one else None

    def several(given: Given) -> list[Spot]:
        assert values is not None
        return [Spot(span.attribute, "=", (write(value),), 1) for (value,) in values(given)]

    def ranged(given: Given) -> list[Spot]:
        low, high, is_below = ends_of(reading.range, given)
        if is_rounded and isinstance(high, datetime) and not is_below:
            high = high.replace(microsecond=0)
        first, last = (None if end is None else write(end) for end in (low, high))
        if first is None and last is None:
            return [Spot()]
        if first is None or last is None:
            sign = ">=" if first is not None else "<" if is_below else "<="
            return [Spot(name, sign, (first or last or {},))]
        is_empty = ordered(first) > ordered(last)
        return [Spot(name, "BETWEEN", (first, last), is_empty=is_empty, excluded=last if is_below else None)]

    def prefixed(given: Given) -> list[Spot]:
        assert reading.prefix is not None
        value = given.of(reading.prefix)[0]
        return [Spot(name, "begins_with", (write(value),)) if value else Spot()]

    if reading.is_one:
        return several
    if reading.prefix is not None:
        return prefixed
    return ranged


Values = Callable[[Given], list[tuple[Any, ...]]]
"""From a call to the values of a template's placeholders, one tuple for each text."""


def values_of(filled: Filled, *, is_backward: bool = False) -> Values:
    """The values of a template's placeholders, none of which is null: no key holds that."""
    values = _together(filled, is_backward=is_backward)
    single = [slot.asked for slot in filled.slots if slot.asked is not None and slot.kind == "value"]
    several = [slot.asked for slot in filled.slots if slot.asked is not None and slot.kind == "values"]

    def made(given: Given) -> list[tuple[Any, ...]]:
        for one in single:
            if None in given.of(one):
                name = one.field
                raise UsageError(f'"{name}" is None, and no key holds that', f"give {argument(name)}=... a value")
        for one in several:  # nothing equals null, so it finds nothing
            if None in (found := given.of(one)):
                some = [value for value in found if value is not None]
                given = replace(given, values={**given.values, one.field: some})
        return values(given)

    return made


def _together(filled: Filled, *, is_backward: bool) -> Values:
    """The same, where one of several values may stand in several placeholders: then it is the same in all."""
    values = alternatives(filled, is_backward=is_backward)
    several = [slot.asked for slot in filled.slots if slot.asked is not None and slot.kind == "values"]
    repeated = next((one for one in several if sum(one is other for other in several) > 1), None)
    if repeated is None:
        return values
    single = Asked(repeated.field, "equals")
    slots = tuple(
        replace(slot, kind="value", asked=single) if slot.asked is repeated else slot for slot in filled.slots
    )
    of_one = _together(Filled(filled.template, slots), is_backward=is_backward)

    def made(given: Given) -> list[tuple[Any, ...]]:
        each = (replace(given, values={**given.values, single.field: value}) for value in given.of(repeated))
        return [words for one in each for words in of_one(one)]

    return made
