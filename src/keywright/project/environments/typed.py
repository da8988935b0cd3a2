"""YAML values into the frozen dataclasses that declare what may be set; every mistake is reported with its line."""

import dataclasses
import math
import re
import types
import typing
from collections.abc import Callable, Mapping
from typing import Any, Literal, NoReturn, TypeVar

from keywright.engines.environment import ByteSize, Percent, Threshold
from keywright.errors import DeclarationError, Place, did_you_mean, quoted, report

from .stack import Value

T = TypeVar("T")

_UNITS = {"": 1, "b": 1, "kb": 2**10, "mb": 2**20, "gb": 2**30, "tb": 2**40}
_SIZE = re.compile(r"(\d+)\s*([kmgt]?b?)$", re.IGNORECASE)


class Wrong(Exception):
    """A value that does not fit, after it was reported."""


def build(cls: type[T], value: Value, path: str, extra: Mapping[str, object] | None = None) -> T:
    """An instance of a dataclass from a mapping with kebab-case keys.

    path: how messages call the value, such as `dynamodb.tables.orders`; extra: values that the file does not give.
    Raises Wrong after all mistakes below were reported.
    """
    if not isinstance(value.data, dict):
        _fail(f'"{path}" is {_shown(value)}, it takes a mapping', value.at, "write its keys below it, indented")
    kinds = typing.get_type_hints(cls)
    fields = {field.name.replace("_", "-"): field for field in dataclasses.fields(cls) if field.name in kinds}  # type: ignore[arg-type]
    values: dict[str, object] = dict(extra or {})
    is_wrong = False
    for key, inner in value.data.items():
        if key not in fields:
            problem = f'"{path}" has no setting "{key}"'
            report(DeclarationError("E0401", problem, inner.key_at, did_you_mean(key, fields)))
            is_wrong = True
            continue
        name = fields[key].name
        try:
            read = convert(kinds[name], inner, f"{path}.{key}")
        except Wrong:
            is_wrong = True
            continue
        before = values.get(name)
        values[name] = {**before, **read} if isinstance(before, dict) and isinstance(read, dict) else read
    missing = [key for key, field in fields.items() if _is_required(field) and field.name not in values]
    if missing and not is_wrong:
        help = "add " + ", ".join(f"{key}: {_example(kinds[fields[key].name])}" for key in missing)
        report(DeclarationError("E0405", f'"{path}" needs {quoted(missing)}', value.key_at, help))
        raise Wrong
    if is_wrong:
        raise Wrong
    return cls(**values)


def convert(kind: Any, value: Value, path: str) -> Any:
    """A value of the annotated kind; Wrong, after a report, if it is of another."""
    if kind is ByteSize:
        return _bytes(value, path)
    if kind in _LEAST_AND_MOST:
        return _number(*_LEAST_AND_MOST[kind], value, path)
    if dataclasses.is_dataclass(kind):
        return build(kind, value, path)  # type: ignore[arg-type]  # a class, not an instance
    reader = _READERS.get(typing.get_origin(kind))
    return reader(kind, value, path) if reader else _plain(kind, value, path)


def _union(kind: Any, value: Value, path: str) -> Any:
    args = typing.get_args(kind)
    if value.data is None and type(None) in args:
        return None
    arms = [arm for arm in args if arm is not type(None)]
    return convert(next((arm for arm in arms if _fits(arm, value.data)), arms[0]), value, path)


def _literal(kind: Any, value: Value, path: str) -> Any:
    data, args = value.data, typing.get_args(kind)
    if data in args and type(data) in {type(arg) for arg in args}:
        return data
    words = [str(arg) for arg in args]
    if str(data) in words:
        _fail(f'"{path}" is the number {data}, it takes text', value.at, f'put it in quotes: "{data}"')
    help = did_you_mean(str(data), words) if isinstance(data, str) else f"known: {quoted(words)}"
    _fail(f'"{path}" is {_shown(value)}, it takes {quoted(words)}', value.at, help)
    return None


def _mapping(kind: Any, value: Value, path: str) -> Any:
    if not isinstance(value.data, dict):
        _fail(f'"{path}" is {_shown(value)}, it takes a mapping', value.at, "write its keys below it, indented")
    inner = typing.get_args(kind)[1]
    return {key: convert(inner, one, f"{path}.{key}") for key, one in value.data.items()}


def _list(kind: Any, value: Value, path: str) -> Any:
    if not isinstance(value.data, list):
        _fail(f'"{path}" is {_shown(value)}, it takes a list', value.at, "write it in brackets: [a, b]")
    inner = typing.get_args(kind)[0]
    return tuple(convert(inner, one, f"{path}[{at}]") for at, one in enumerate(value.data))


def _plain(kind: Any, value: Value, path: str) -> Any:
    data = value.data
    if _fits(kind, data):
        return data
    if kind is str and isinstance(data, (int, float)) and not isinstance(data, bool):
        _fail(f'"{path}" is the number {data}, it takes text', value.at, f'put it in quotes: "{data}"')
    name = {str: "text", int: "a whole number", float: "a number", bool: "true or false"}.get(kind, str(kind))
    _fail(f'"{path}" is {_shown(value)}, it takes {name}', value.at, f"write {name}")
    return None


_READERS: dict[Any, Callable[[Any, Value, str], Any]] = {
    typing.Union: _union,
    types.UnionType: _union,
    Literal: _literal,
    Mapping: _mapping,
    dict: _mapping,
    tuple: _list,
}


_LEAST_AND_MOST: dict[Any, tuple[int, float]] = {Percent: (1, 99), Threshold: (0, math.inf)}
"""Between which numbers of a kind are."""


def _fits(kind: Any, data: object) -> bool:
    """Whether YAML gave a value of this kind, as far as its outside tells."""
    if kind is float or kind in _LEAST_AND_MOST:
        return isinstance(data, (int, float)) and not isinstance(data, bool)
    origin = typing.get_origin(kind)
    if origin is Literal:
        return data in typing.get_args(kind)
    if kind is ByteSize:
        return isinstance(data, (int, str)) and not isinstance(data, bool)
    plain = dict if dataclasses.is_dataclass(kind) else {Mapping: dict, tuple: list}.get(origin, origin or kind)
    return isinstance(data, plain) and (plain is bool or not isinstance(data, bool))


def _bytes(value: Value, path: str) -> ByteSize:
    match = _SIZE.match(str(value.data)) if not isinstance(value.data, (bool, dict, list)) else None
    if match is None:
        _fail(f'"{path}" is {_shown(value)}, it takes a size', value.at, "such as 512mb or 4gb")
    unit = match[2].lower()
    return ByteSize(int(match[1]) * _UNITS[unit if unit in _UNITS else f"{unit}b"])


def _number(least: int, most: float, value: Value, path: str) -> float:
    allowed = f"{least} to {most:g}" if most < math.inf else f"{least} or more"
    data = value.data
    if not isinstance(data, (int, float)) or isinstance(data, bool):
        _fail(f'"{path}" is {_shown(value)}, it takes a number', value.at, f"write {allowed}")
    if not least <= data <= most:
        problem = f'"{path}" is {data:g}, it takes {allowed}'
        _fail(problem, value.at, "correct the number, or write null to be told nothing")
    return data


def _is_required(field: "dataclasses.Field[Any]") -> bool:
    return field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING


def _example(kind: Any) -> str:
    """What a value of the kind may look like."""
    if typing.get_origin(kind) is Literal:
        return str(typing.get_args(kind)[0])
    return {str: "name", int: "1", bool: "true", ByteSize: "4gb"}.get(kind, "...")


def _shown(value: Value) -> str:
    match value.data:
        case dict():
            return "a mapping"
        case list():
            return "a list"
        case str(text):
            return f'"{text}"'
        case None:
            return "empty"
        case bool(flag):
            return "true" if flag else "false"
        case number:
            return str(number)


def _fail(problem: str, at: Place, help: str) -> NoReturn:
    report(DeclarationError("E0402", problem, at, help))
    raise Wrong
