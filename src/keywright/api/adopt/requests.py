"""Access patterns of requests that applications have sent, beside those that keys and indexes propose."""

from collections.abc import Mapping, Sequence
from typing import Any

from keywright.engines.contract.adoption import PAGE_ITEMS, KeyOrder
from keywright.engines.contract.naming import joined, key_words, plural, snake_case, without_criterion
from keywright.engines.contract.requests import SeenRequest
from keywright.engines.infer import python_paths
from keywright.errors import NOWHERE
from keywright.ir.attribute import Many
from keywright.ir.binding import Binding
from keywright.ir.entity import resolve
from keywright.ir.pattern import Pattern
from keywright.record import replace

_LISTS = ("eq", "one_of", "order", "sets", "unset")
_SINGLE = ("range", "contains", "near", "field")
READS = ("get", "read", "count")
"""Kinds of patterns that read."""


def pattern_of(binding: Binding[Any], request: SeenRequest, keys: Sequence[KeyOrder]) -> Pattern | None:
    """The pattern of a request; None if it names a path that is no field.

    keys: keys and indexes of the entity, the primary key first.
    """
    python = dict(python_paths(binding.entity.attributes))
    lists = {name: [_signed(path, python) for path in getattr(request, name)] for name in _LISTS}
    single = {name: python.get(path) for name in _SINGLE if (path := getattr(request, name)) is not None}
    if None in single.values() or any(None in paths for paths in lists.values()):
        return None
    words: dict[str, Any] = {**{name: tuple(paths) for name, paths in lists.items()}, **single}
    pattern = Pattern("", request.kind, "", binding.name, NOWHERE, **words, excludes=request.excludes)
    pattern = replace(
        pattern,
        limit=request.limit,
        if_absent=request.if_absent,
        is_ttl_given=request.is_ttl_given,
        eq=_sorted(binding, pattern),
    )
    pattern = _with_lists(binding, pattern)
    pattern = _by_key(pattern, keys)
    return replace(pattern, name=_name(pattern, without_criterion(snake_case(binding.entity.name))))


def _signed(path: str, python: Mapping[str, str]) -> str | None:
    name = python.get(path.removeprefix("-"))
    return f"-{name}" if name and path.startswith("-") else name


def _sorted(binding: Binding[Any], pattern: Pattern) -> tuple[str, ...]:
    """Fields compared by equality in the order of the entity, whatever order the request has."""
    names = [attribute.name for attribute in binding.entity.attributes]
    return tuple(sorted(pattern.eq, key=lambda path: (names.index(path.partition(".")[0]), path)))


def _with_lists(binding: Binding[Any], pattern: Pattern) -> Pattern:
    """The pattern in which equality with an element of a list is `contains`."""
    lists = [path for path in pattern.eq if _is_list(binding, path)]
    if len(lists) != 1 or pattern.contains or pattern.kind not in READS:
        return pattern
    return replace(pattern, contains=lists[0], eq=tuple(path for path in pattern.eq if path not in lists))


def _is_list(binding: Binding[Any], path: str) -> bool:
    attributes = resolve(binding.entity.attributes, path) or ()
    return any(isinstance(attribute.type, Many) for attribute in attributes[-1:])


def _by_key(pattern: Pattern, keys: Sequence[KeyOrder]) -> Pattern:
    """The pattern of one item by a unique key; a write by the primary key has no `eq`."""
    unique = {tuple(sorted(_fields(key))): key for key in reversed(keys) if key.is_unique and not key.where}
    key = unique.get(tuple(sorted(pattern.eq)))
    is_narrowed = pattern.one_of or pattern.range or pattern.contains or pattern.near
    if pattern.kind == "read":
        if key is not None and not is_narrowed:
            return replace(pattern, kind="get", eq=_fields(key), order=(), limit=None)
        return pattern if pattern.limit else replace(pattern, limit=PAGE_ITEMS)
    is_primary = key is not None and not key.index
    return replace(pattern, eq=(), limit=None) if is_primary and pattern.kind != "count" else pattern


def _fields(key: KeyOrder) -> tuple[str, ...]:
    return (*key.equal, *(path.removeprefix("-") for path in key.order))


def _name(pattern: Pattern, noun: str) -> str:
    """The name of a pattern, of the form that keys propose."""
    fields = (*pattern.eq, *pattern.one_of, *filter(None, (pattern.contains, pattern.near, pattern.range)))
    by = (f"_by_{joined(fields)}" if fields else "") + ("_in_range" if pattern.range and len(fields) > 1 else "")
    match pattern.kind:
        case "get":
            return f"{noun}_by_{key_words(pattern.eq)}"
        case "read":
            return f"{plural(noun)}{by}"
        case "count":
            return f"count_{plural(noun)}{by}"
        case "update":
            changed = joined((*pattern.sets, *pattern.unset)) if len(pattern.sets) <= 1 else "fields"
            return f"set_{changed}_of_{noun}{by}"
        case "increment":
            return f"increment_{joined((pattern.field or '',))}_of_{noun}{by}"
        case _:
            return f"{pattern.kind}_{noun}{by}"


def described(pattern: Pattern) -> str:
    """A request in words: `a read by customer and state`."""
    fields = (*pattern.eq, *pattern.one_of, *filter(None, (pattern.contains, pattern.near, pattern.range)))
    kind = f"{'an' if pattern.kind in ('update', 'increment') else 'a'} {pattern.kind}"
    if fields:
        return f"{kind} by {' and '.join(fields)}"
    return f"{kind} of all items" if pattern.kind in READS else f"{kind} by the key"


def is_request_for(pattern: Pattern, other: Pattern) -> bool:
    """Whether a request selects the items of another pattern, and has no order or the same one."""
    first, second = (replace(part, name="", limit=None, eq=tuple(sorted(part.eq))) for part in (pattern, other))
    return first.order in ((), second.order) and replace(first, order=second.order) == second
