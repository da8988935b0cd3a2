"""Functions from a call to native values of key columns, ranges and index conditions."""

from collections.abc import Callable, Iterable
from typing import Any

from keywright.access.key_range import Reading
from keywright.access.query import Condition
from keywright.engines.cassandra.access.calls import Cell, FixedColumn, IndexCondition, RangeCondition
from keywright.engines.cassandra.schema.cql import identifier
from keywright.errors import UsageError
from keywright.ir.attribute import Many, Type
from keywright.ir.distinct import distinct
from keywright.runtime.items import text as forms
from keywright.runtime.items.fill import alternatives, slot_writer, texts, writer
from keywright.runtime.items.fit import fit
from keywright.runtime.validate.arguments import Arguments, argument

from ..write import native_writer

BoundColumn = tuple[str, str, Any]
"""(column as CQL, operator, native value)."""

End = tuple[Any, bool]
"""An end of a range, and whether the range includes it."""


def values_of(term: FixedColumn, *, is_backward: bool = False) -> Callable[[Arguments], list[Any]]:
    """A function from a call to all distinct native values of a key column."""
    if term.cell.type is None:
        texts_of = texts(term.filled, is_backward=is_backward)
        return lambda arguments: distinct(_not_none(term.cell, texts_of(arguments)))
    native = native_writer(term.cell.type, term.cell.native)
    values_of_call = alternatives(term.filled, is_backward=is_backward)
    return lambda arguments: _unique(
        [native(value) for (value,) in _all_not_none(term.cell, values_of_call(arguments))]
    )


def matched(match: IndexCondition) -> Callable[[Arguments], list[Any]]:
    """A function from a call to the distinct native values that an index looks up."""
    condition, kind, native = match.condition, match.cell.type, match.cell.native
    if kind is None:
        return lambda arguments: _unique(
            _not_none(match.cell, [forms.text(value) for value in arguments.of(condition)])
        )
    if match.operator == "CONTAINS":
        write = element_writer(kind)
        return lambda arguments: _unique([write(value) for value in _elements(condition, arguments)])
    write = native_writer(kind, native)
    return lambda arguments: _unique(_not_none(match.cell, [write(value) for value in arguments.of(condition)]))


def element_writer(kind: Type) -> Callable[[Any], Any]:
    """A function that converts an element of a collection to its native form."""
    assert isinstance(kind, Many)
    write_collection = native_writer(kind, "")
    return lambda value: write_collection([value])[0]


def _elements(condition: Condition, arguments: Arguments) -> tuple[Any, ...]:
    """The elements to look up: all for `contains`, else only the first."""
    values = arguments.of(condition)
    if not values:
        raise UsageError(f'no value for "{condition.field}"', f"write {argument(condition.field)}=[first, second]")
    return values if condition.kind == "contains" else values[:1]


def range_of(bounds: Iterable[RangeCondition]) -> Callable[[Arguments], list[BoundColumn]]:
    """A function from a call to the conditions of its ranges, with at most one lower and one upper end per column."""
    ends = [(bound.cell.name, _ends(bound)) for bound in bounds]

    def conditions(arguments: Arguments) -> list[BoundColumn]:
        lower: dict[str, End] = {}
        upper: dict[str, End] = {}
        for name, ends_of in ends:
            low, high = ends_of(arguments)
            if low is not None and (name not in lower or _is_above(low, lower[name])):
                lower[name] = low
            if high is not None and (name not in upper or _is_below(high, upper[name])):
                upper[name] = high
        result = [
            (identifier(name), ">=" if is_included else ">", value) for name, (value, is_included) in lower.items()
        ]
        return result + [
            (identifier(name), "<=" if is_included else "<", value) for name, (value, is_included) in upper.items()
        ]

    return conditions


def _is_above(first: End, second: End) -> bool:
    return bool(first[0] > second[0]) or (first[0] == second[0] and not first[1])


def _is_below(first: End, second: End) -> bool:
    return bool(first[0] < second[0]) or (first[0] == second[0] and not first[1])


def _ends(bound: RangeCondition) -> Callable[[Arguments], tuple[End | None, End | None]]:
    """A function from a call to the lower and upper end of a condition."""
    if bound.reading is not None:
        return _text_ends(bound.condition, bound.reading)
    condition, kind = bound.condition, bound.cell.type
    write = forms.text if kind is None else native_writer(kind, bound.cell.native)

    def ends(arguments: Arguments) -> tuple[End | None, End | None]:
        values = [None if value is None else write(value) for value in arguments.of(condition)]
        match condition.kind:
            case "between":
                return _end(values[0], is_in=not condition.excludes_first), _end(
                    values[1], is_in=not condition.excludes_last
                )
            case "at_least":
                return _end(values[0]), None
            case "below":
                return None, (values[0], False)
            case _:
                after = following(str(values[0]))
                return _end(values[0] or None), None if after is None else (after, False)

    return ends


def _end(value: Any, *, is_in: bool = True) -> End | None:
    return None if value is None else (value, is_in)


def _text_ends(condition: Condition, reading: Reading) -> Callable[[Arguments], tuple[End | None, End | None]]:
    """The ends of a text that a template computes: the text before the placeholder, then the ends of its value."""
    prefix_of = _prefix(reading)
    placeholder = reading.next
    check = (
        fit(reading.template.text, placeholder, reading.next_piece, is_part=True) if placeholder is not None else None
    )
    write = writer(placeholder, check) if placeholder is not None else forms.text
    is_last = placeholder is not None and reading.template.parts[-1] is placeholder
    is_restricted = condition.field == (placeholder.path if placeholder is not None else None)

    def ends(arguments: Arguments) -> tuple[End | None, End | None]:
        head = prefix_of(arguments)
        low: End | None = (head, True) if head else None
        after = following(head)
        high: End | None = None if after is None else (after, False)
        if not is_restricted or condition.kind == "equals":
            return low, high
        values = arguments.of(condition)
        match condition.kind:
            case "between":
                first, last = values
                if first is not None:
                    low = (
                        _after(head + write(first), is_last)
                        if condition.excludes_first
                        else (head + write(first), True)
                    )
                if last is not None and condition.excludes_last:
                    high = (head + write(last), False)
                elif last is not None:
                    high = _upper_end(head + write(last), is_last=is_last)
            case "at_least":
                low = (head + write(values[0]), True)
            case "below":
                high = (head + write(values[0]), False)
            case _:
                prefix = head + (check or str)(str(values[0]))
                after = following(prefix)
                low, high = (prefix, True), None if after is None else (after, False)
        return low, high

    return ends


def _after(text: str, is_last: bool) -> End | None:
    """The lower end that excludes a text, and all its continuations if the template continues after it."""
    if is_last:
        return text, False
    after = following(text)
    return None if after is None else (after, True)


def _upper_end(text: str, *, is_last: bool) -> End | None:
    """The upper end that includes a text, and all its continuations if the template continues after it."""
    if is_last:
        return text, True
    after = following(text)
    return None if after is None else (after, False)


def _prefix(reading: Reading) -> Callable[[Arguments], str]:
    """A function from a call to the text before the first placeholder without a single value."""
    pieces: list[tuple[str, Callable[[Any], str] | None, Condition | None]] = []
    slots = iter(reading.slots)
    for part in reading.template.parts:
        if isinstance(part, str):
            pieces.append((part, None, None))
            continue
        slot = next(slots, None)
        if slot is None:
            break
        pieces.append(("", slot_writer(slot, reading.template), slot.condition))

    def prefix(arguments: Arguments) -> str:
        return "".join(
            text if write is None or condition is None else write(arguments.of(condition)[0])
            for text, write, condition in pieces
        )

    return prefix


def following(text: str) -> str | None:
    """The first text after all texts with a prefix, in the order of characters; None if there is none."""
    while text:
        last = ord(text[-1])
        if last < 0x10FFFF:
            next_code = last + 1
            return text[:-1] + chr(
                0xE000 if 0xD800 <= next_code <= 0xDFFF else next_code
            )  # texts contain no surrogates
        text = text[:-1]
    return None


def _unique(values: list[Any]) -> list[Any]:
    try:
        return distinct(values)
    except TypeError:  # collections cannot be keys of a dictionary
        unique: list[Any] = []
        for value in values:
            if value not in unique:
                unique.append(value)
        return unique


def _not_none(cell: Cell, values: list[Any]) -> list[Any]:
    if any(value is None for value in values):
        raise UsageError(f'"{cell.field}" is a key, and a key cannot be None', "give a value")
    return values


def _all_not_none(cell: Cell, values: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    _not_none(cell, [value for (value,) in values])
    return values
