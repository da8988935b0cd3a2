"""Converts YAML values to the records of settings; every mistake is reported with its line."""

import contextlib
import math
import re
import types
import typing
from collections.abc import Callable, Mapping
from typing import Any, Literal, NoReturn, TypeVar

from keywright import record
from keywright.engines.environment import ByteSize, Percent, Threshold
from keywright.errors import DeclarationError, Place, did_you_mean, quoted, report
from keywright.ir.text import exact

from .stack_file import YamlValue

T = TypeVar("T")

_UNITS = {"": 1, "b": 1, "kb": 2**10, "mb": 2**20, "gb": 2**30, "tb": 2**40}
_SIZE = re.compile(r"(\d+)\s*([kmgt]?b?)$", re.IGNORECASE)


class InvalidSetting(Exception):
    """An invalid value, after its error has been reported."""


def build(cls: type[T], value: YamlValue, path: str, extra: Mapping[str, object] | None = None) -> T:
    """A record from a mapping with kebab-case keys.

    path: the value's name in messages, such as `dynamodb.tables.orders`; extra: values that the file does not contain.
    Raises InvalidValue after reporting all mistakes below the value.
    """
    if not isinstance(value.data, dict):
        _fail(f'"{path}" is {_described(value)}, it takes a mapping', value.at, "write its keys below it, indented")
    kinds = typing.get_type_hints(cls)
    fields = {field.name.replace("_", "-"): field for field in record.fields(cls) if field.name in kinds}  # type: ignore[arg-type]
    values: dict[str, object] = dict(extra or {})
    is_invalid = False
    for key, inner in value.data.items():
        if key not in fields:
            problem = f'"{path}" has no setting "{key}"'
            report(DeclarationError("E0401", problem, inner.key_at, did_you_mean(key, fields)))
            is_invalid = True
            continue
        name = fields[key].name
        try:
            read = convert(kinds[name], inner, f"{path}.{key}")
        except InvalidSetting:
            is_invalid = True
            continue
        before = values.get(name)
        values[name] = {**before, **read} if isinstance(before, dict) and isinstance(read, dict) else read
    missing = [key for key, field in fields.items() if field.required and field.name not in values]
    if missing and not is_invalid:
        help = "add " + ", ".join(f"{key}: {_example(kinds[fields[key].name])}" for key in missing)
        report(DeclarationError("E0405", f'"{path}" needs {quoted(missing)}', value.key_at, help))
        raise InvalidSetting
    if is_invalid:
        raise InvalidSetting
    return cls(**values)


def convert(kind: Any, value: YamlValue, path: str) -> Any:
    """A value of the annotated type; reports an error and raises InvalidValue if it has another type."""
    if kind is ByteSize:
        return _bytes(value, path)
    if kind in _RANGES:
        return _number(*_RANGES[kind], value, path)
    if record.is_record(kind):
        return build(kind, value, path)  # type: ignore[arg-type]  # a class, not an instance
    reader = _READERS.get(typing.get_origin(kind))
    return reader(kind, value, path) if reader else _plain(kind, value, path)


def _union(kind: Any, value: YamlValue, path: str) -> Any:
    args = typing.get_args(kind)
    if value.data is None and type(None) in args:
        return None
    arms = [arm for arm in args if arm is not type(None)]
    return convert(next((arm for arm in arms if _fits(arm, value.data)), arms[0]), value, path)


def _literal(kind: Any, value: YamlValue, path: str) -> Any:
    data, args = value.data, typing.get_args(kind)
    if data in args and type(data) in {type(arg) for arg in args}:
        return data
    words = [str(arg) for arg in args]
    if str(data) in words:
        _fail(f'"{path}" is the number {data}, it takes text', value.at, f'put it in quotes: "{data}"')
    help = did_you_mean(str(data), words) if isinstance(data, str) else f"known: {quoted(words)}"
    _fail(f'"{path}" is {_described(value)}, it takes {quoted(words)}', value.at, help)
    return None


def _mapping(kind: Any, value: YamlValue, path: str) -> Any:
    if not isinstance(value.data, dict):
        _fail(f'"{path}" is {_described(value)}, it takes a mapping', value.at, "write its keys below it, indented")
    inner = typing.get_args(kind)[1]
    names = list(value.data)
    return dict(zip(names, _all(inner, [(value.data[name], f"{path}.{name}") for name in names]), strict=True))


def _list(kind: Any, value: YamlValue, path: str) -> Any:
    if not isinstance(value.data, list):
        _fail(f'"{path}" is {_described(value)}, it takes a list', value.at, "write it in brackets: [a, b]")
    inner = typing.get_args(kind)[0]
    return tuple(_all(inner, [(yaml_value, f"{path}[{at}]") for at, yaml_value in enumerate(value.data)]))


def _all(kind: Any, inner: list[tuple[YamlValue, str]]) -> list[Any]:
    """Values of one type; raises InvalidValue after reporting all mistakes in them."""
    values: list[Any] = []
    for value, path in inner:
        with contextlib.suppress(InvalidSetting):
            values.append(convert(kind, value, path))
    if len(values) < len(inner):
        raise InvalidSetting
    return values


def _plain(kind: Any, value: YamlValue, path: str) -> Any:
    data = value.data
    if _fits(kind, data):
        return data
    if kind is str and isinstance(data, (int, float)) and not isinstance(data, bool):
        _fail(f'"{path}" is the number {data}, it takes text', value.at, f'put it in quotes: "{data}"')
    name = {str: "text", int: "a whole number", float: "a number", bool: "true or false"}.get(kind, str(kind))
    _fail(f'"{path}" is {_described(value)}, it takes {name}', value.at, f"write {name}")
    return None


_READERS: dict[Any, Callable[[Any, YamlValue, str], Any]] = {
    typing.Union: _union,
    types.UnionType: _union,
    Literal: _literal,
    Mapping: _mapping,
    dict: _mapping,
    tuple: _list,
}


_RANGES: dict[Any, tuple[int, float]] = {Percent: (1, 99), Threshold: (0, math.inf)}
"""Least and greatest number of each type."""


def _fits(kind: Any, data: object) -> bool:
    """Whether a YAML value has this type; contents of mappings and lists are not checked."""
    if kind is float or kind in _RANGES:
        return isinstance(data, (int, float)) and not isinstance(data, bool)
    origin = typing.get_origin(kind)
    if origin is Literal:
        return data in typing.get_args(kind)
    if kind is ByteSize:
        return isinstance(data, (int, str)) and not isinstance(data, bool)
    base = dict if record.is_record(kind) else {Mapping: dict, tuple: list}.get(origin, origin or kind)
    return isinstance(data, base) and (base is bool or not isinstance(data, bool))


def _bytes(value: YamlValue, path: str) -> ByteSize:
    match = _SIZE.match(str(value.data)) if not isinstance(value.data, (bool, dict, list)) else None
    if match is None:
        _fail(f'"{path}" is {_described(value)}, it takes a size', value.at, "such as 512mb or 4gb")
    unit = match[2].lower()
    return ByteSize(int(match[1]) * _UNITS[unit if unit in _UNITS else f"{unit}b"])


def _number(least: int, most: float, value: YamlValue, path: str) -> float:
    allowed = f"{least} to {exact(most)}" if most < math.inf else f"{least} or more"
    data = value.data
    if not isinstance(data, (int, float)) or isinstance(data, bool):
        _fail(f'"{path}" is {_described(value)}, it takes a number', value.at, f"write {allowed}")
    if not least <= data <= most:
        problem = f'"{path}" is {exact(data)}, it takes {allowed}'
        _fail(problem, value.at, "correct the number, or write null to disable the alert")
    return data


def _example(kind: Any) -> str:
    """An example value of the type."""
    if typing.get_origin(kind) is Literal:
        return str(typing.get_args(kind)[0])
    return {str: "name", int: "1", bool: "true", ByteSize: "4gb"}.get(kind, "...")


def _described(value: YamlValue) -> str:
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
    raise InvalidSetting
