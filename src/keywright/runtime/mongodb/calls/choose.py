"""Selections as functions from a call to a filter document."""

from collections.abc import Callable
from typing import Any

from keywright.access.fill import Filled, Slot
from keywright.access.reading import Reading
from keywright.access.request import Asked
from keywright.engines.mongodb.access.conditions import after, filter_of, path_of, test_of
from keywright.engines.mongodb.access.selection import Condition, Keyed, Selection, Term, Texts
from keywright.errors import UsageError
from keywright.ir.template import Placeholder
from keywright.runtime.fill import texts, writer
from keywright.runtime.given import Given, argument

from .native import Natives

Filter = dict[str, Any]
Fill = Callable[[Given], tuple[str, Any]]


def filter_maker(selection: Selection, natives: Natives) -> Callable[[Given], Filter]:
    """A function from a call to the filter of a selection.

    It raises UsageError for null where the index does not hold it, and for more values than are merged in order.
    """
    fills = [_fill(one, natives) for one in selection.conditions]
    not_null = frozenset(selection.not_null)
    most = dict(selection.most)

    def made(given: Given) -> Filter:
        for field in not_null:
            _refuse_null(field, given)
        for field, top in most.items():
            _refuse_many(field, top, given)
        return filter_of(fill(given) for fill in fills)

    return made


def is_empty(selection: Selection) -> Callable[[Given], bool]:
    """A function that tells of a call whether it lists no values, so that there is nothing to ask."""
    lists = [one.asked for one in selection.conditions if isinstance(one, Term) and one.asked.how == "one_of"]
    return lambda given: any(not given.of(asked) for asked in lists)


def _refuse_null(field: str, given: Given) -> None:
    value = given.values.get(field)
    is_several = isinstance(value, (list, tuple, set, frozenset))
    if value is None or (is_several and (None in value or not value)):
        what = "empty" if is_several and not value else "None"
        problem = f'"{field}" is {what}, which the index that serves the pattern does not hold, or not in order'
        raise UsageError(problem, f"give {argument(field)} a value; for {what} ask by a pattern of its own")


def _refuse_many(field: str, top: int, given: Given) -> None:
    value = given.values.get(field, ())
    if hasattr(value, "__len__") and len(value) > top:
        problem = f'"{field}" has {len(value)} values, of which the server merges {top} in order'
        raise UsageError(problem, "ask in several calls, or leave out order= in the pattern")


def _fill(one: Condition, natives: Natives) -> Fill:
    match one:
        case Term():
            return _term(one, natives)
        case Keyed():
            return _keyed(one, natives)
        case Texts():
            return _texts(one)


def _term(one: Term, natives: Natives) -> Fill:
    asked, path = one.asked, path_of(one)
    if asked.how == "search":
        return lambda given: ("$text", {"$search": _words(given.of(asked)[0])})
    if asked.constants is not None:
        values = [natives.constant(asked.field, value) for value in asked.constants]
        constant = test_of(one, values)
        return lambda given: (path, constant)
    convert = natives.single(asked.field)
    if asked.how == "between":
        return lambda given: (path, test_of(one, _ends_of(one, given, convert)))
    if asked.how in ("all_of", "exactly"):
        return lambda given: (path, test_of(one, _several(asked, given, convert)))
    return lambda given: (path, test_of(one, [convert(value) for value in given.of(asked)]))


def _ends_of(one: Term, given: Given, convert: Callable[[Any], Any]) -> tuple[Any, Any]:
    first, last = (convert(value) for value in given.of(one.asked))
    if one.inside and first is None and last is None:
        raise UsageError(f'"{one.asked.field}" has no end, and a range over a list needs one', "give one of the ends")
    return first, last


def _several(asked: Asked, given: Given, convert: Callable[[Any], Any]) -> list[Any]:
    values = [convert(value) for value in given.of(asked)]
    if not values and asked.how == "all_of":
        raise UsageError(f'"{asked.field}" has no values, and all documents would fulfil that', "give one at least")
    return values


def _words(value: Any) -> str:
    return value if isinstance(value, str) else " ".join(map(str, value))


def _keyed(one: Keyed, natives: Natives) -> Fill:
    path, made = one.path, _made(one.filled, natives)
    if one.filled.is_single:
        return lambda given: (path, made(given)[0])
    return lambda given: (path, {"$in": made(given)})


def _made(filled: Filled, natives: Natives) -> Callable[[Given], list[Any]]:
    """The texts of a template, or the native values of one that is a field and nothing else."""
    lone = filled.template.lone
    asked = filled.slots[0].asked if lone is not None and filled.slots[0].kind in ("value", "values") else None
    if lone is None or asked is None:
        return texts(filled)
    convert = natives.single(lone.path)
    return lambda given: [convert(value) for value in given.of(asked)]


def _texts(one: Texts) -> Fill:
    """Texts that begin alike: from the first to just before what no longer does."""
    reading, path = one.reading, one.path
    head = _head(reading)
    low, high = _ends(reading)

    def filled(given: Given) -> tuple[str, Any]:
        start = head(given)
        first, last = low(start, given), high(start, given)
        return path, {key: text for key, text in (("$gte", first), *last) if text} or {"$exists": True}

    return filled


def _head(reading: Reading) -> Callable[[Given], str]:
    """The known beginning of the texts."""
    parts: list[str | Callable[[Given], str]] = []
    slots = list(reading.slots)
    for part in reading.template.parts:
        if isinstance(part, Placeholder):
            if not slots:
                break
            parts.append(_one(slots.pop(0), writer(part)))
        else:
            parts.append(part)
    return lambda given: "".join(part if isinstance(part, str) else part(given) for part in parts)


def _one(slot: Slot, write: Callable[[Any], str]) -> Callable[[Given], str]:
    asked = slot.asked
    assert asked is not None
    return lambda given: write(given.of(asked)[0])


Low = Callable[[str, Given], str]
High = Callable[[str, Given], tuple[tuple[str, str], ...]]


def _ends(reading: Reading) -> tuple[Low, High]:
    """The least text, and what the greatest must be smaller than or equal to."""
    prefix, next = reading.prefix, reading.next
    if prefix is not None:

        def begun(head: str, given: Given) -> str:
            return head + str(given.of(prefix)[0])

        return begun, lambda head, given: (("$lt", after(begun(head, given))),)
    if next is None or not reading.range:
        return lambda head, given: head, lambda head, given: (("$lt", after(head) if head else ""),)
    write, is_last = writer(next), reading.template.parts[-1] is next

    def ends(given: Given) -> tuple[Any, Any, Any]:
        first = last = below = None
        for asked in reading.range:
            values = given.of(asked)
            if asked.how == "between":
                first, last = values
            elif asked.how == "at_least":
                first = values[0]
            else:
                below = values[0]
        return first, last, below

    def low(head: str, given: Given) -> str:
        first = ends(given)[0]
        return head if first is None else head + write(first)

    def high(head: str, given: Given) -> tuple[tuple[str, str], ...]:
        _, last, below = ends(given)
        found: list[tuple[str, str]] = []
        if last is not None:
            # Behind a whole text nothing stands; behind a part of one, anything does.
            found.append(("$lte", head + write(last)) if is_last else ("$lt", after(head + write(last))))
        if below is not None and not found:
            found.append(("$lt", head + write(below)))
        return tuple(found) or (("$lt", after(head) if head else ""),)

    return low, high
