"""Functions from a call to native values: of key columns, of ranges, of what indexes are asked for."""

from collections.abc import Callable, Iterable
from typing import Any

from keywright.access.reading import Reading
from keywright.access.request import Asked
from keywright.engines.cassandra.access.calls import Bound, Cell, Match, Term
from keywright.engines.cassandra.cql import identifier
from keywright.errors import UsageError
from keywright.ir.attribute import Many, Type
from keywright.runtime import text as forms
from keywright.runtime.fill import alternatives, texts, writer
from keywright.runtime.given import Given, argument

from ..write import native_writer

Condition = tuple[str, str, Any]
"""(column as written, operator, native value)."""

End = tuple[Any, bool]
"""One end of a range, and whether it is part of it."""


def values_of(term: Term, *, is_backward: bool = False) -> Callable[[Given], list[Any]]:
    """A function from a call to all native values of a key column, each once."""
    if term.cell.type is None:
        written = texts(term.filled, is_backward=is_backward)
        return lambda given: list(dict.fromkeys(_there(term.cell, written(given))))
    native = native_writer(term.cell.type, term.cell.native)
    several = alternatives(term.filled, is_backward=is_backward)
    return lambda given: _unique([native(one) for (one,) in _all_there(term.cell, several(given))])


def matched(match: Match) -> Callable[[Given], list[Any]]:
    """A function from a call to the native values that an index is asked for, each once."""
    asked, kind, native = match.asked, match.cell.type, match.cell.native
    if kind is None:
        return lambda given: _unique(_there(match.cell, [forms.text(value) for value in given.of(asked)]))
    if match.operator == "CONTAINS":
        write = element_writer(kind)
        return lambda given: _unique([write(value) for value in _some(asked, given)])
    write = native_writer(kind, native)
    return lambda given: _unique(_there(match.cell, [write(value) for value in given.of(asked)]))


def element_writer(kind: Type) -> Callable[[Any], Any]:
    """A function that makes the native form of one element of a collection."""
    assert isinstance(kind, Many)
    whole = native_writer(kind, "")
    return lambda value: whole([value])[0]


def _some(asked: Asked, given: Given) -> tuple[Any, ...]:
    """Of several elements the first is asked for."""
    values = given.of(asked)
    if not values:
        raise UsageError(f'no value of "{asked.field}" is given', f"write {argument(asked.field)}=[first, second]")
    return values if asked.how == "contains" else values[:1]


def range_of(bounds: Iterable[Bound]) -> Callable[[Given], list[Condition]]:
    """A function from a call to the conditions of all its ranges: of each column, one for either end at the most."""
    ends = [(bound.cell.name, _ends(bound)) for bound in bounds]

    def made(given: Given) -> list[Condition]:
        least: dict[str, End] = {}
        most: dict[str, End] = {}
        for name, of in ends:
            low, high = of(given)
            if low is not None and (name not in least or _is_above(low, least[name])):
                least[name] = low
            if high is not None and (name not in most or _is_below(high, most[name])):
                most[name] = high
        found = [(identifier(name), ">=" if kept else ">", value) for name, (value, kept) in least.items()]
        return found + [(identifier(name), "<=" if kept else "<", value) for name, (value, kept) in most.items()]

    return made


def _is_above(one: End, other: End) -> bool:
    return bool(one[0] > other[0]) or (one[0] == other[0] and not one[1])


def _is_below(one: End, other: End) -> bool:
    return bool(one[0] < other[0]) or (one[0] == other[0] and not one[1])


def _ends(bound: Bound) -> Callable[[Given], tuple[End | None, End | None]]:
    """A function from a call to both ends of a condition."""
    if bound.reading is not None:
        return _text_ends(bound.asked, bound.reading)
    asked, kind = bound.asked, bound.cell.type
    write = forms.text if kind is None else native_writer(kind, bound.cell.native)

    def made(given: Given) -> tuple[End | None, End | None]:
        values = [None if value is None else write(value) for value in given.of(asked)]
        match asked.how:
            case "between":
                return _included(values[0]), _included(values[1])
            case "at_least":
                return _included(values[0]), None
            case "below":
                return None, (values[0], False)
            case _:
                after = following(str(values[0]))
                return _included(values[0] or None), None if after is None else (after, False)

    return made


def _included(value: Any) -> End | None:
    return None if value is None else (value, True)


def _text_ends(asked: Asked, reading: Reading) -> Callable[[Given], tuple[End | None, End | None]]:
    """Ends of what a template writes: what stands before the placeholder, then the ends of its own text."""
    begin = _beginning(reading)
    place = reading.next
    write = writer(place) if place is not None else forms.text
    is_last = place is not None and reading.template.parts[-1] is place
    own = asked.field == (place.path if place is not None else None)

    def made(given: Given) -> tuple[End | None, End | None]:
        head = begin(given)
        low: End | None = (head, True) if head else None
        after = following(head)
        high: End | None = None if after is None else (after, False)
        if not own or asked.how == "equals":
            return low, high
        values = given.of(asked)
        match asked.how:
            case "between":
                first, last = values
                low = low if first is None else (head + write(first), True)
                high = high if last is None else _through(head + write(last), is_last=is_last)
            case "at_least":
                low = (head + write(values[0]), True)
            case "below":
                high = (head + write(values[0]), False)
            case _:
                beginning = head + str(values[0])
                after = following(beginning)
                low, high = (beginning, True), None if after is None else (after, False)
        return low, high

    return made


def _through(text: str, *, is_last: bool) -> End | None:
    """The end that includes a text, and all that follows it where something always does."""
    if is_last:
        return text, True
    after = following(text)
    return None if after is None else (after, False)


def _beginning(reading: Reading) -> Callable[[Given], str]:
    """A function from a call to the text before the first placeholder without one value."""
    pieces: list[tuple[str, Callable[[Any], str] | None, Asked | None]] = []
    slots = iter(reading.slots)
    for part in reading.template.parts:
        if isinstance(part, str):
            pieces.append((part, None, None))
            continue
        slot = next(slots, None)
        if slot is None:
            break
        pieces.append(("", writer(part), slot.asked))

    def made(given: Given) -> str:
        return "".join(
            text if write is None or asked is None else write(given.of(asked)[0]) for text, write, asked in pieces
        )

    return made


def following(text: str) -> str | None:
    """The first text behind all that begin with a text, in the order of characters; None for none."""
    while text:
        last = ord(text[-1])
        if last < 0x10FFFF:
            after = last + 1
            return text[:-1] + chr(0xE000 if 0xD800 <= after <= 0xDFFF else after)  # no text holds surrogates
        text = text[:-1]
    return None


def _unique(values: list[Any]) -> list[Any]:
    try:
        return list(dict.fromkeys(values))
    except TypeError:  # collections are no keys of a dictionary
        found: list[Any] = []
        for value in values:
            if value not in found:
                found.append(value)
        return found


def _there(cell: Cell, values: list[Any]) -> list[Any]:
    if any(value is None for value in values):
        raise UsageError(f'"{cell.field}" is a key, and None is no key', "give a value")
    return values


def _all_there(cell: Cell, values: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    _there(cell, [one for (one,) in values])
    return values
