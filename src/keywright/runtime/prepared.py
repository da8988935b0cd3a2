"""Patterns that are ready to be called, and the arguments of their calls."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from pydantic import BaseModel

from keywright.access.query import arguments_of_parts
from keywright.declare.answers import Page
from keywright.errors import UsageError, did_you_mean, quoted
from keywright.ir.pattern import Pattern
from keywright.ir.text import counted
from keywright.record import Record, replace

from .cursor import bound, unbound
from .errors import InvalidValue
from .items.codec import PatternFunction
from .validate.arguments import Arguments, argument
from .validate.checks import NO_CHECKS, Checks, limit_of_page


class Prepared(Record):
    """One pattern, ready to be called."""

    pattern: Pattern
    """The pattern."""
    call: PatternFunction
    """The function that runs the pattern."""
    client: Any
    """The application's client for its store."""
    names: Mapping[str, str]
    """Field path of each required value, by keyword."""
    model: type[BaseModel]
    """Class of the instances that a put writes."""
    checks: Checks
    """Validators of its values."""
    parts: tuple["Prepared", ...] = ()
    """The parts of a combined pattern."""


def together(pattern: Pattern, call: PatternFunction, client: Any, parts: tuple[Prepared, ...]) -> Prepared:
    """A read of several entities, whose arguments are those of all of them."""
    names: dict[str, str] = {}
    for part, others in zip(parts, arguments_of_parts(pattern.parts), strict=True):
        paths = (others.get(path, path) for path in part.names.values())
        names |= {argument(path): path for path in paths}
    checks = replace(NO_CHECKS, limit=limit_of_page(pattern.name, pattern.limit))
    return Prepared(pattern, call, client, names, parts[0].model, checks, parts)


def arguments_of(
    prepared: Prepared,
    subjects: tuple[Any, ...],
    values: dict[str, Any],
    limit: int | None,
    cursor: str | None,
    by: Any,
    segment: int | None = None,
) -> Arguments:
    """The arguments of a call, validated; UsageError for one that lacks or misnames a value."""
    pattern = prepared.pattern
    if pattern.kind in ("transact", "transact_get"):
        return Arguments({}, parts=_transaction_arguments(prepared, subjects, values))
    ttl: timedelta | None = None
    if pattern.is_ttl_given:
        ttl, values = _ttl(prepared, values)
    if pattern.kind == "put":
        return Arguments({}, items=_instances(prepared, subjects, values), ttl=ttl)
    if subjects:
        values = {**values, **_mapping(prepared, subjects)}
    if by is not None and pattern.kind != "increment":  # a field is named "by"
        values = {**values, "by": by}
    if segment is not None and not pattern.scans:  # a field is named "segment"
        values, segment = {**values, "segment": segment}, None
    validated = prepared.checks.values(_by_path(prepared, values))
    parts = _parts_of_read(prepared, validated)
    maximum = prepared.checks.limit(limit)
    step = prepared.checks.step(pattern.by if by is None else by) if pattern.kind == "increment" else None
    sealed = None if cursor is None else unbound(pattern, validated, cursor)
    return Arguments(
        validated, limit=maximum, cursor=sealed, segment=_segment(pattern, segment), by=step, parts=parts, ttl=ttl
    )


def _segment(pattern: Pattern, segment: Any) -> int | None:
    """The segment of a call; InvalidValue for one that the pattern does not have."""
    if segment is None or (type(segment) is int and 0 <= segment < pattern.segments):
        return segment
    reason = f"it takes a number from 0 to {pattern.segments - 1}"
    raise InvalidValue(pattern.name, "segment", type(segment).__name__, reason)


def _ttl(prepared: Prepared, values: dict[str, Any]) -> tuple[timedelta, dict[str, Any]]:
    """The time to live of a call, and its other values."""
    name, ttl = prepared.pattern.name, values.get("ttl")
    if ttl is None:
        raise UsageError(f'"{name}" needs "ttl"', f"call {name}(db, ..., ttl=timedelta(hours=1))")
    if not isinstance(ttl, timedelta) or ttl < timedelta(seconds=1):
        raise InvalidValue(name, "ttl", type(ttl).__name__, "it takes a timedelta of a second or more")
    return ttl, {key: value for key, value in values.items() if key != "ttl"}


def _parts_of_read(prepared: Prepared, values: Mapping[str, Any]) -> tuple[tuple[Arguments, ...], ...]:
    """The arguments of each read of several entities, from the values of the call."""
    parts: list[tuple[Arguments, ...]] = []
    for part, others in zip(prepared.parts, arguments_of_parts(prepared.pattern.parts), strict=True):
        own = {path: values[others.get(path, path)] for path in part.names.values()}
        parts.append((Arguments(part.checks.values(own)),))
    return tuple(parts)


def bound_page(pattern: Pattern, arguments: Arguments, page: Page[Any]) -> Page[Any]:
    """The page with its cursor bound to the values of the call."""
    return page if page.cursor is None else Page(page.items, bound(pattern, arguments.values, page.cursor))


def _mapping(prepared: Prepared, subjects: tuple[Any, ...]) -> Mapping[str, Any]:
    if len(subjects) == 1 and isinstance(subjects[0], Mapping):
        return subjects[0]
    raise UsageError(f'"{prepared.pattern.name}" takes its values as keyword arguments', _usage(prepared))


def _usage(prepared: Prepared) -> str:
    """Help text: a correct call of the pattern."""
    name = prepared.pattern.name
    if prepared.pattern.kind == "put":
        return f"call {name}(db, {prepared.model.__name__}(...)), with one instance or several"
    if prepared.pattern.kind in ("transact", "transact_get"):
        calls = (
            f"{part.model.__name__}(...)"
            if part.pattern.kind == "put"
            else f"{{{', '.join(map(_quoted, part.names))}}}"
            for part in prepared.parts
        )
        if prepared.pattern.kind == "transact_get":
            return f"call {name}(db, {', '.join(calls)}): a mapping for each get"
        return f"call {name}(db, {', '.join(calls)}): an instance, a mapping, or a list of several, for each write"
    return f"call {name}(db, {', '.join(f'{keyword}=...' for keyword in prepared.names)})"


def _quoted(keyword: str) -> str:
    return f'"{keyword}": ...'


def _by_path(prepared: Prepared, values: Mapping[str, Any]) -> dict[str, Any]:
    """The values by field path; UsageError if one is missing or unknown."""
    names = prepared.names
    values_by_path = {names.get(name, name): value for name, value in values.items()}
    paths = names.values()
    for name in values_by_path:
        if name not in paths:
            raise UsageError(
                f'"{prepared.pattern.name}" has no argument "{name}"', did_you_mean(str(name), list(names))
            )
    if len(values_by_path) < len(names):
        missing = [name for name, path in names.items() if path not in values_by_path]
        raise UsageError(f'"{prepared.pattern.name}" needs {quoted(missing)}', _usage(prepared))
    return values_by_path


def _instances(prepared: Prepared, subjects: tuple[Any, ...], values: Mapping[str, Any]) -> tuple[Any, ...]:
    if values:
        raise UsageError(f'"{prepared.pattern.name}" writes instances, and has no keyword arguments', _usage(prepared))
    if not subjects:
        raise UsageError(f'"{prepared.pattern.name}" was called without an instance to write', _usage(prepared))
    for subject in subjects:
        if not isinstance(subject, prepared.model):
            problem = f'"{prepared.pattern.name}" writes {prepared.model.__name__}, not {type(subject).__name__}'
            raise UsageError(problem, _usage(prepared))
        prepared.checks.instance(subject)
    return subjects


def _transaction_arguments(
    prepared: Prepared, subjects: tuple[Any, ...], values: Mapping[str, Any]
) -> tuple[tuple[Arguments, ...], ...]:
    if values:
        raise UsageError(
            f'"{prepared.pattern.name}" takes the arguments of each of its {_noun(prepared)}s, in order',
            _usage(prepared),
        )
    if len(subjects) != len(prepared.parts):
        parts = counted(len(prepared.parts), _noun(prepared))
        problem = f'"{prepared.pattern.name}" has {parts}, but received {len(subjects)}'
        raise UsageError(problem, _usage(prepared))
    return tuple(_write_arguments(part, subject) for part, subject in zip(prepared.parts, subjects, strict=True))


def _noun(prepared: Prepared) -> str:
    return "get" if prepared.pattern.kind == "transact_get" else "write"


def _write_arguments(part: Prepared, subjects: Any) -> tuple[Arguments, ...]:
    is_several = isinstance(subjects, (list, tuple)) and part.pattern.kind != "get"
    listed = subjects if is_several else [subjects]
    if part.pattern.kind == "put":
        return tuple(Arguments({}, items=_instances(part, (subject,), {})) for subject in listed)
    return tuple(_part_arguments(part, _mapping(part, (subject,))) for subject in listed)


def _part_arguments(part: Prepared, values: Mapping[str, Any]) -> Arguments:
    return arguments_of(
        part, (), {name: value for name, value in values.items() if name != "by"}, None, None, values.get("by")
    )
