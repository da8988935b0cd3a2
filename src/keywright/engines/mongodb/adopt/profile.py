"""Entries of the profiler as requests; values in the entries are left out."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from keywright.engines.contract.adoption import Sample
from keywright.engines.contract.observer import Remembered
from keywright.engines.contract.requests import SeenRequest
from keywright.ir.binding import Binding
from keywright.ir.pattern import PatternKind
from keywright.ir.text import counted
from keywright.record import replace

from ..declare.options import AnyCollection
from ..schema.fields import ID

MANY = 100
"""Most forms of one collection, the most frequent ones."""

_PEOPLE = ("mongosh", "MongoDB Compass", "MongoDB Shell", "mongodump", "mongoexport")
"""Beginnings of `appName` of tools, whose requests no application sends."""

_RANGES = {"$gt": "first", "$gte": "", "$lt": "last", "$lte": ""}
_UNITS = ((86_400, "day"), (3600, "hour"), (60, "minute"))


class _NoPattern(Exception):
    """A request of another form."""


def requested(binding: Binding[AnyCollection], sample: Sample) -> Iterator[SeenRequest]:
    """See `Adoption.requested`: each form once, the most frequent one first."""
    key = _key(binding)
    forms = Counter[SeenRequest]()
    for entry in sample.remembered.requests:
        try:
            forms.update(() if str(entry.get("appName", "")).startswith(_PEOPLE) else _requests(entry))
        except (_NoPattern, LookupError, TypeError, AttributeError, ValueError):
            continue  # an operator without a pattern, or a command that the profiler has truncated
    for form, number in forms.most_common(MANY):
        evidence = _evidence(number, sample.remembered)
        yield replace(form, evidence=evidence, eq=_renamed(form.eq, key), one_of=_renamed(form.one_of, key))


def _key(binding: Binding[AnyCollection]) -> str:
    """The stored name of the field that `_id` contains; `_id` if a template makes it of several fields."""
    template = binding.templates.get("id")
    paths = [placeholder.path for placeholder in template.placeholders] if template else []
    attribute = binding.entity.attribute(paths[0] or "") if len(paths) == 1 else None
    return attribute.stored if attribute else ID


def _renamed(paths: Sequence[str], key: str) -> tuple[str, ...]:
    return tuple(key if path == ID else path for path in paths)


def _evidence(number: int, remembered: Remembered) -> str:
    seconds = remembered.figures.get("seconds", 0)
    assert isinstance(seconds, (int, float))
    size, unit = next((part for part in _UNITS if seconds >= 2 * part[0]), _UNITS[-1])
    slow = ", slow ones only" if remembered.figures.get("level") == 1 else ""
    return (
        f"in system.profile {counted(number, 'time', spec=',')} in {counted(max(1, round(seconds / size)), unit)}{slow}"
    )


def _requests(entry: Mapping[str, Any]) -> Iterator[SeenRequest]:
    """The request of an entry; none for operations of other kinds."""
    command = entry.get("command", {})
    match entry.get("op"):
        case "query" if "find" in command:
            yield _read(command.get("filter", {}), command.get("sort", {}), command.get("limit"))
        case "command" if "aggregate" in command:
            yield _aggregate(command["pipeline"])
        case "command" if "count" in command:
            yield _selection("count", command.get("query", {}))
        case "command" if "findAndModify" in command or "findandmodify" in command:
            query = command.get("query", {})
            yield _selection("delete", query) if command.get("remove") else _update(query, command["update"])
        case "update":
            yield _update(command["q"], command["u"])
        case "remove":
            yield _selection("delete", command["q"])
        case "insert":
            yield SeenRequest(kind="put", evidence="")
        case _:
            pass


def _aggregate(pipeline: Sequence[Mapping[str, Any]]) -> SeenRequest:
    """A pipeline that a read or a count replaces."""
    stages = [pair for stage in pipeline for pair in list(stage.items())[:1]]
    if stages[:1] and stages[0][0] == "$match":
        query, rest = stages[0][1], stages[1:]
        if [name for name, _ in rest] in (["$group"], ["$count"]) and (rest[0][0] == "$count" or _counts(rest[0][1])):
            return _selection("count", query)
        words = dict(rest)
        if len(words) == len(rest) and words.keys() <= {"$sort", "$limit", "$project"}:
            return _read(query, words.get("$sort", {}), words.get("$limit"))
    raise _NoPattern


def _counts(group: Mapping[str, Any]) -> bool:
    """Whether a group is what clients send to count documents."""
    figures = [value for name, value in group.items() if name != "_id"]
    return group.get("_id") in (1, None) and figures == [{"$sum": 1}]


def _read(query: Mapping[str, Any], sort: Mapping[str, Any], limit: Any) -> SeenRequest:
    if any(direction not in (1, -1) for direction in sort.values()):
        raise _NoPattern
    order = tuple(f"-{path}" if direction == -1 else path for path, direction in sort.items())
    number = abs(int(limit)) if limit else None
    return replace(_selection("read", query), order=order, limit=number)


def _update(query: Mapping[str, Any], change: Any) -> SeenRequest:
    """An update; the replacement of a whole document by its `_id` is a put."""
    selection = _selection("update", query)
    if not any(str(name).startswith("$") for name in change):
        if selection.eq == (ID,):
            return SeenRequest(kind="put", evidence="")
        raise _NoPattern
    if change.keys() == {"$inc"} and len(change["$inc"]) == 1:
        return replace(selection, kind="increment", field=next(iter(change["$inc"])))
    if not isinstance(change, Mapping) or change.keys() - {"$set", "$unset", "$currentDate"}:
        raise _NoPattern
    sets = sorted({*change.get("$set", {}), *change.get("$currentDate", {})})
    return replace(selection, sets=tuple(sets), unset=tuple(sorted(change.get("$unset", {}))))


def _selection(kind: PatternKind, query: Mapping[str, Any]) -> SeenRequest:
    """The conditions of a filter, each on another path."""
    tests = list(_tests(query))
    equal = [path for path, operator in tests if operator == "$eq"]
    ranges = {path: [test for other, test in tests if other == path] for path, test in tests if test in _RANGES}
    if len(ranges) > 1 or (ranges and next(iter(ranges)) in equal) or len(equal) > len(set(equal)):
        raise _NoPattern
    ends = {_RANGES[operator] for operators in ranges.values() for operator in operators} - {""}
    return SeenRequest(
        kind=kind,
        evidence="",
        eq=tuple(sorted(equal)),
        one_of=tuple(sorted(path for path, operator in tests if operator == "$in")),
        range=next(iter(ranges), None),
        excludes="both" if len(ends) > 1 else next(iter(ends), ""),  # type: ignore[arg-type]
    )


def _tests(query: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """(path, operator) of each condition."""
    for path, test in query.items():
        if path == "$and":
            for part in test:
                yield from _tests(part)
        elif path == "$comment":
            continue
        elif path.startswith("$") or _is_expression(test):
            raise _NoPattern
        elif isinstance(test, Mapping) and any(str(name).startswith("$") for name in test):
            if test.keys() - {"$eq", "$in", *_RANGES}:
                raise _NoPattern
            yield from ((path, operator) for operator in test)
        else:
            yield path, "$eq"


def _is_expression(test: Any) -> bool:
    """Whether a value is a regular expression."""
    return hasattr(test, "pattern")
