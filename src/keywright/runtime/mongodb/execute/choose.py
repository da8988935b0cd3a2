"""Selections as functions that return a call's filter document."""

from collections.abc import Callable
from typing import Any

from keywright.access.fill import Filled, Slot
from keywright.access.key_range import Reading
from keywright.access.query import Condition
from keywright.engines.mongodb.access.conditions import after, filter_of, path_of, test_of, with_filter
from keywright.engines.mongodb.access.selection import PathCondition, PathTerm, Selection, TemplateValues, TextPrefix
from keywright.errors import UsageError
from keywright.ir.template import Placeholder
from keywright.ir.text import counted
from keywright.runtime.errors import Unstorable
from keywright.runtime.items.fill import slot_writer, texts, writer
from keywright.runtime.items.fit import fit
from keywright.runtime.validate.arguments import Arguments, argument

from .native import Natives

MongoFilter = dict[str, Any]
Fill = Callable[[Arguments], tuple[str, Any]]


def filter_maker(selection: Selection, natives: Natives) -> Callable[[Arguments], MongoFilter]:
    """A function that returns the filter of a selection for a call.

    It raises UsageError for null that the index does not contain, and for more values than the server merges in order.
    """
    fills = [_fill(condition, natives) for condition in selection.conditions]
    not_null = frozenset(selection.not_null)
    limits = dict(selection.most)
    index_filter = natives.extended(selection.filter)

    def filter_for(arguments: Arguments) -> MongoFilter:
        for field in not_null:
            _refuse_null(field, arguments)
        for field, max_values in limits.items():
            _refuse_many(field, max_values, arguments)
        return with_filter(filter_of(fill(arguments) for fill in fills), index_filter)

    return filter_for


def is_empty(selection: Selection) -> Callable[[Arguments], bool]:
    """A function that returns whether a call lists no values, so that no request is needed."""
    lists = [
        condition.condition
        for condition in selection.conditions
        if isinstance(condition, PathTerm) and condition.condition.kind == "one_of"
    ]
    return lambda arguments: any(not arguments.of(condition) for condition in lists)


def _refuse_null(field: str, arguments: Arguments) -> None:
    value = arguments.values.get(field)
    is_list = isinstance(value, (list, tuple, set, frozenset))
    if value is None or (is_list and (None in value or not value)):
        kind = "empty" if is_list and not value else "None"
        problem = f'"{field}" is {kind}, which the index of the pattern does not contain, or not in order'
        raise UsageError(problem, f"pass a value for {argument(field)}; for {kind}, declare a separate pattern")


def _refuse_many(field: str, max_values: int, arguments: Arguments) -> None:
    value = arguments.values.get(field, ())
    if hasattr(value, "__len__") and len(value) > max_values:
        problem = f'"{field}" has {counted(len(value), "value")}, of which the server merges {max_values} in order'
        raise UsageError(problem, "make several calls, or remove order= from the pattern")


def _fill(term: PathCondition, natives: Natives) -> Fill:
    match term:
        case PathTerm():
            return _term(term, natives)
        case TemplateValues():
            return _keyed(term, natives)
        case TextPrefix():
            return _texts(term)


def _term(term: PathTerm, natives: Natives) -> Fill:
    condition, path = term.condition, path_of(term)
    if condition.kind == "search":
        return lambda arguments: ("$text", {"$search": _words(arguments.of(condition)[0])})
    if condition.constants is not None:
        values = [natives.constant(condition.field, value) for value in condition.constants]
        constant = test_of(term, values)
        return lambda arguments: (path, constant)
    convert = natives.single(condition.field)
    if condition.kind == "between":
        return lambda arguments: (path, test_of(term, _ends_of(term, arguments, convert)))
    if condition.kind in ("all_of", "exactly"):
        return lambda arguments: (path, test_of(term, _several(condition, arguments, convert)))
    if condition.kind in ("equals", "contains"):
        return lambda arguments: (path, _equal(convert(arguments.of(condition)[0])))
    return lambda arguments: (
        path,
        test_of(term, [_literal(condition, convert(value)) for value in arguments.of(condition)]),
    )


def _equal(value: Any) -> Any:
    """A value for a filter; a document is wrapped in `$eq`, because it could be read as operators."""
    return {"$eq": value} if isinstance(value, dict) else value


def _literal(condition: Condition, value: Any) -> Any:
    """An element of a list of values; the server would read a document that begins with an operator as a test."""
    if isinstance(value, dict) and str(next(iter(value), "")).startswith("$"):
        reason = "in a list of values, MongoDB reads a document whose first name starts with $ as an operator"
        raise Unstorable(reason, argument(condition.field), "dict")
    return value


def _ends_of(term: PathTerm, arguments: Arguments, convert: Callable[[Any], Any]) -> tuple[Any, Any]:
    first, last = (convert(value) for value in arguments.of(term.condition))
    if term.inside and first is None and last is None:
        raise UsageError(
            f'"{term.condition.field}" has no limits, and a range over a list needs one', "pass one of the limits"
        )
    return first, last


def _several(condition: Condition, arguments: Arguments, convert: Callable[[Any], Any]) -> list[Any]:
    values = [_literal(condition, convert(value)) for value in arguments.of(condition)]
    if not values and condition.kind == "all_of":
        raise UsageError(f'"{condition.field}" has no values, so that all documents would match', "pass at least one")
    return values


def _words(value: Any) -> str:
    return value if isinstance(value, str) else " ".join(map(str, value))


def _keyed(condition: TemplateValues, natives: Natives) -> Fill:
    path, values_for = condition.path, _values_of(condition.filled, natives)
    if condition.filled.is_single:
        return lambda arguments: (path, _equal(values_for(arguments)[0]))
    return lambda arguments: (path, {"$in": values_for(arguments)})


def _values_of(filled: Filled, natives: Natives) -> Callable[[Arguments], list[Any]]:
    """The texts of a template, or the native values of a template that is a single field."""
    lone = filled.template.lone
    condition = filled.slots[0].condition if lone is not None and filled.slots[0].kind in ("value", "values") else None
    if lone is None or condition is None:
        return texts(filled)
    convert = natives.single(lone.path)
    return lambda arguments: [convert(value) for value in arguments.of(condition)]


def _texts(condition: TextPrefix) -> Fill:
    """The range of texts with the same prefix: from the first text to the least text without the prefix."""
    reading, path = condition.reading, condition.path
    head = _head(reading)
    low, high = _ends(reading)

    def range_for(arguments: Arguments) -> tuple[str, Any]:
        start = head(arguments)
        first, last = low(start, arguments), high(start, arguments)
        return path, {key: text for key, text in (("$gte", first), *last) if text} or {"$exists": True}

    return range_for


def _head(reading: Reading) -> Callable[[Arguments], str]:
    """The known prefix of the texts."""
    parts: list[str | Callable[[Arguments], str]] = []
    slots = list(reading.slots)
    for part in reading.template.parts:
        if isinstance(part, Placeholder):
            if not slots:
                break
            slot = slots.pop(0)
            parts.append(_slot_text(slot, slot_writer(slot, reading.template)))
        else:
            parts.append(part)
    return lambda arguments: "".join(part if isinstance(part, str) else part(arguments) for part in parts)


def _slot_text(slot: Slot, write: Callable[[Any], str]) -> Callable[[Arguments], str]:
    condition = slot.condition
    assert condition is not None
    return lambda arguments: write(arguments.of(condition)[0])


Low = Callable[[str, Arguments], str]
High = Callable[[str, Arguments], tuple[tuple[str, str], ...]]


def _ends(reading: Reading) -> tuple[Low, High]:
    """The lower bound, and the upper bounds, of the texts."""
    prefix, next = reading.prefix, reading.next
    checked = fit(reading.template.text, next, reading.next_piece, is_part=True) if next is not None else None
    if prefix is not None:
        fitted = checked or str

        def with_prefix(head: str, arguments: Arguments) -> str:
            return head + fitted(str(arguments.of(prefix)[0]))

        return with_prefix, lambda head, arguments: (("$lt", after(with_prefix(head, arguments))),)
    if next is None or not reading.range:
        return lambda head, arguments: head, lambda head, arguments: (("$lt", after(head) if head else ""),)
    write, is_last = writer(next, checked), reading.template.parts[-1] is next

    def ends(arguments: Arguments) -> tuple[Any, Any, Any]:
        first = last = below = None
        for condition in reading.range:
            values = arguments.of(condition)
            if condition.kind == "between":
                first, last = values
            elif condition.kind == "at_least":
                first = values[0]
            else:
                below = values[0]
        return first, last, below

    def low(head: str, arguments: Arguments) -> str:
        first = ends(arguments)[0]
        return head if first is None else head + write(first)

    def high(head: str, arguments: Arguments) -> tuple[tuple[str, str], ...]:
        _, last, below = ends(arguments)
        bounds: list[tuple[str, str]] = []
        if last is not None:
            # A complete text ends the range; after a partial one, any text with this prefix follows.
            bounds.append(("$lte", head + write(last)) if is_last else ("$lt", after(head + write(last))))
        if below is not None and not bounds:
            bounds.append(("$lt", head + write(below)))
        return tuple(bounds) or (("$lt", after(head) if head else ""),)

    return low, high
