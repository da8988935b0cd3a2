"""Ranges of sort keys: the texts and values between which a call reads items."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from keywright.access.fill import Filled
from keywright.access.query import Condition
from keywright.engines.dynamodb.access.calls import Span
from keywright.engines.dynamodb.declare.options import Item
from keywright.errors import UsageError
from keywright.ir.attribute import Scalar
from keywright.ir.binding import Binding
from keywright.ir.entity import resolve
from keywright.ir.key_texts import value_piece
from keywright.ir.template import Placeholder, Template
from keywright.record import Record, field, replace
from keywright.runtime.items import text as forms
from keywright.runtime.items.fill import alternatives, writer
from keywright.runtime.items.fit import fit
from keywright.runtime.validate.arguments import Arguments, argument

from .natives import ToNative, expires, ordered, writer_of

LAST = "\U0010ffff"
"""Last character of the Unicode order."""

Key = dict[str, ToNative]


class KeyRange(Record):
    """One partition of a call, and the range of its sort key."""

    attribute: str = ""
    """Sort attribute with a condition; empty for none."""
    test: str = ""
    """`=`, `begins_with`, `BETWEEN`, `>=`, `>`, `<=`, `<`; empty for all."""
    ends: tuple[ToNative, ...] = ()
    """Values of the condition."""
    skip: int = 0
    """Characters at the beginning of its texts that are not compared between key ranges."""
    is_empty: bool = False
    """Whether the range ends before it begins."""
    excluded: tuple[ToNative, ...] = ()
    """Values inside the range that do not belong to it."""
    group: str = ""
    """Time bucket of the range, if buckets are read in sequence; else empty."""
    key: Key = field(default_factory=dict)
    """Partition key, and leading sort attributes with one value."""
    id: str = ""
    """Identity among the key ranges of the call, independent of the read copy."""


def spans_of(binding: Binding[Item], span: Span) -> Callable[[Arguments], list[KeyRange]]:
    """Function from a call to the ranges of a sort key attribute."""
    reading = span.reading
    lone = reading.template.lone
    if lone is not None:
        return _lone_spans(binding, span, lone)
    prefix_template = _prefix_template(reading.template, len(reading.slots))
    beginnings = values_of(Filled(prefix_template, reading.slots))
    has_several = any(slot.kind == "values" for slot in reading.slots)
    bounds = _Bounds(binding, reading.template, len(reading.slots), reading.range) if reading.range else None
    checked = fit(reading.template.text, reading.next, reading.next_piece, is_part=True) if reading.next else None

    def ranges_of_call(arguments: Arguments) -> list[KeyRange]:
        key_ranges = []
        for values in beginnings(arguments):
            texts = iter([forms.text(value) for value in values])
            prefix = "".join(part if isinstance(part, str) else next(texts) for part in prefix_template.parts)
            skip = len(prefix) if has_several else 0
            if reading.is_one:
                key_range = KeyRange(span.attribute, "=", ({"S": prefix},), skip)
            elif bounds is not None:
                key_range = bounds.key_range(span.attribute, prefix, arguments, skip)
            else:
                suffix = (checked or str)(arguments.of(reading.prefix)[0]) if reading.prefix is not None else ""
                key_range = _prefix_range(span.attribute, prefix + suffix, skip)
            key_ranges.append(key_range)
        return key_ranges

    return ranges_of_call


def _prefix_range(attribute: str, prefix: str, skip: int) -> KeyRange:
    """Range of a prefix; the service rejects an empty prefix, which means all."""
    return KeyRange(attribute, "begins_with", ({"S": prefix},), skip) if prefix else KeyRange(skip=skip)


def _prefix_template(template: Template, remaining: int) -> Template:
    """Template up to the first placeholder without a value."""
    parts: list[str | Placeholder] = []
    for part in template.parts:
        if isinstance(part, Placeholder):
            remaining -= 1
            if remaining < 0:
                break
        parts.append(part)
    return Template(template.text, tuple(parts))


class _Bounds:
    """Ends of a range inside the texts of a template."""

    def __init__(self, binding: Binding[Item], template: Template, filled: int, range: tuple[Condition, ...]) -> None:
        self.range, self.path = range, range[0].field
        positions = [position for position, part in enumerate(template.parts) if isinstance(part, Placeholder)]
        position = positions[filled]
        placeholder = template.parts[position]
        assert isinstance(placeholder, Placeholder)
        piece = value_piece(placeholder, binding.entity.attributes)
        self.write = writer(placeholder, fit(template.text, placeholder, piece, is_part=True))
        following_parts = template.parts[position + 1 :]
        separator = following_parts[0] if following_parts else ""
        self.has_more = bool(following_parts)
        # Successor of the character that follows the value in every text.
        self.beyond = chr(ord(separator[0]) + 1) if isinstance(separator, str) and separator else LAST
        self.width = _fixed_width(binding, placeholder) if following_parts else None

    def key_range(self, attribute: str, prefix: str, arguments: Arguments, skip: int) -> KeyRange:
        low, is_above, high, is_below = ends_of(self.range, arguments)
        if low is None and high is None:
            return _prefix_range(attribute, prefix, skip)
        first = prefix if low is None else prefix + self._low(low, is_above=is_above)
        last = prefix + LAST if high is None else prefix + self._high(high, is_below=is_below)
        if not first:
            key_range = KeyRange(attribute, "<=", ({"S": last},), skip)
        elif high is None and not prefix:
            key_range = KeyRange(attribute, ">=", ({"S": first},), skip)
        else:
            key_range = KeyRange(attribute, "BETWEEN", ({"S": first}, {"S": last}), skip, is_empty=first > last)
        if self.has_more:
            return key_range
        ends = (first if is_above and low is not None else None, last if is_below and high is not None else None)
        return replace(key_range, excluded=tuple({"S": end} for end in ends if end is not None))

    def _low(self, value: Any, *, is_above: bool) -> str:
        text = self.write(value)
        if self.width is not None and len(text) > self.width:
            return text[: self.width] + self.beyond  # a value of full length with this prefix is smaller
        return text + self.beyond if is_above and self.has_more and self.width in (None, len(text)) else text

    def _high(self, value: Any, *, is_below: bool) -> str:
        text = self.write(value)
        if self.width is not None and len(text) != self.width:
            return text[: self.width] + (self.beyond if len(text) > self.width else "")
        return text if is_below or not self.has_more else text + self.beyond


def _fixed_width(binding: Binding[Item], placeholder: Placeholder) -> int | None:
    """Length of the texts of a field, if all are equally long."""
    attributes = resolve(binding.entity.attributes, placeholder.path)
    kind = attributes[-1].type if attributes else None
    is_text = isinstance(kind, Scalar) and kind.kind == "string" and not placeholder.filters
    return kind.max_length if is_text and isinstance(kind, Scalar) and kind.min_length == kind.max_length else None


def ends_of(range: tuple[Condition, ...], arguments: Arguments) -> tuple[Any, bool, Any, bool]:
    """(first, whether it is excluded, last, whether it is excluded): the narrowest of all conditions; None for an open
    end."""
    low: Any = None
    high: Any = None
    is_above = is_below = False
    for condition in range:
        values = [forms.plain(value) for value in arguments.of(condition)]
        bottom = values[0] if condition.kind != "below" else None
        if bottom is not None and (low is None or bottom > low or (bottom == low and condition.excludes_first)):
            low, is_above = bottom, condition.excludes_first
        excludes_top = condition.kind == "below" or condition.excludes_last
        top = values[1] if condition.kind == "between" else values[0] if condition.kind == "below" else None
        if top is not None and (high is None or top < high or (top == high and excludes_top)):
            high, is_below = top, excludes_top
    return low, is_above, high, is_below


def _lone_spans(binding: Binding[Item], span: Span, lone: Placeholder) -> Callable[[Arguments], list[KeyRange]]:
    """Function from a call to the ranges of a sort key that is a field itself."""
    reading, name = span.reading, span.attribute
    write = writer_of(binding, lone.path, span.native)
    is_rounded = span.native == "N" and expires(binding, lone.path)

    values = values_of(Filled(reading.template, reading.slots)) if reading.is_one else None

    def equal_ranges(arguments: Arguments) -> list[KeyRange]:
        assert values is not None
        return [KeyRange(span.attribute, "=", (write(value),), 1) for (value,) in values(arguments)]

    def bounded_ranges(arguments: Arguments) -> list[KeyRange]:
        low, is_above, high, is_below = ends_of(reading.range, arguments)
        if is_rounded:  # the stored time is rounded up
            low = low.replace(microsecond=0) if isinstance(low, datetime) and is_above else low
            high = high.replace(microsecond=0) if isinstance(high, datetime) and not is_below else high
        first, last = (None if end is None else write(end) for end in (low, high))
        if first is None and last is None:
            return [KeyRange()]
        if first is None or last is None:
            sign = (">" if is_above else ">=") if first is not None else "<" if is_below else "<="
            return [KeyRange(name, sign, (first or last or {},))]
        is_empty = ordered(first) > ordered(last)
        excluded = (*((first,) if is_above else ()), *((last,) if is_below else ()))
        return [KeyRange(name, "BETWEEN", (first, last), is_empty=is_empty, excluded=excluded)]

    def prefix_ranges(arguments: Arguments) -> list[KeyRange]:
        assert reading.prefix is not None
        value = arguments.of(reading.prefix)[0]
        return [KeyRange(name, "begins_with", (write(value),)) if value else KeyRange()]

    if reading.is_one:
        return equal_ranges
    if reading.prefix is not None:
        return prefix_ranges
    return bounded_ranges


Values = Callable[[Arguments], list[tuple[Any, ...]]]
"""Function from a call to the values of a template's placeholders, one tuple for each text."""


def values_of(filled: Filled, *, is_backward: bool = False) -> Values:
    """Values of a template's placeholders; null is rejected, because no key contains it."""
    values = _shared_values(filled, is_backward=is_backward)
    single_conditions = [slot.condition for slot in filled.slots if slot.condition is not None and slot.kind == "value"]
    repeated_conditions = [
        slot.condition for slot in filled.slots if slot.condition is not None and slot.kind == "values"
    ]

    def values_of_call(arguments: Arguments) -> list[tuple[Any, ...]]:
        for condition in single_conditions:
            if None in arguments.of(condition):
                name = condition.field
                raise UsageError(f'"{name}" is None, and a key cannot be None', f"give {argument(name)}=... a value")
        for condition in repeated_conditions:  # nothing equals null, so it matches nothing
            if None in (given := arguments.of(condition)):
                present = [value for value in given if value is not None]
                arguments = replace(arguments, values={**arguments.values, condition.field: present})
        return values(arguments)

    return values_of_call


def _shared_values(filled: Filled, *, is_backward: bool) -> Values:
    """Values of a template's placeholders, where one of several values may fill several placeholders alike."""
    values = alternatives(filled, is_backward=is_backward)
    conditions = [slot.condition for slot in filled.slots if slot.condition is not None and slot.kind == "values"]
    repeated = next(
        (condition for condition in conditions if sum(condition is other for other in conditions) > 1), None
    )
    if repeated is None:
        return values
    single = Condition(repeated.field, "equals")
    slots = tuple(
        replace(slot, kind="value", condition=single) if slot.condition is repeated else slot for slot in filled.slots
    )
    single_values = _shared_values(Filled(filled.template, slots), is_backward=is_backward)

    def values_of_call(arguments: Arguments) -> list[tuple[Any, ...]]:
        single_arguments = (
            replace(arguments, values={**arguments.values, single.field: value}) for value in arguments.of(repeated)
        )
        return [
            values_of_one for arguments_of_one in single_arguments for values_of_one in single_values(arguments_of_one)
        ]

    return values_of_call
