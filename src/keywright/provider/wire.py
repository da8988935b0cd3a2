"""Converts between the engine's structs and plain values, and compares plain values."""

from collections.abc import Iterator, Mapping
from typing import Any

from google.protobuf import json_format, struct_pb2

from keywright.engines.contract.resource import Inputs
from keywright.ir.json import Json
from keywright.provision.values import received, sent

UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9"
"""The value of unknown values in a preview."""

_SIGNATURE, _IS_SECRET = "4dabf18193072939515e22adb298388d", "1b47061264138c4ac30d75fd1eb44270"
"""The key of a special object, and its value for a secret."""


def plain(message: Any) -> Inputs:
    """A struct as plain values, without internal keys; secrets, which a configuration can contain, as plain text."""
    message_to_dict = json_format.MessageToDict(message)
    values = received({key: _opened(value) for key, value in message_to_dict.items() if not key.startswith("__")})
    assert isinstance(values, dict)
    return values


def _opened(value: Any) -> Any:
    match value:
        case dict() if value.get(_SIGNATURE) == _IS_SECRET:
            return _opened(value.get("value"))
        case dict():
            return {key: _opened(inner) for key, inner in value.items()}
        case list():
            return [_opened(inner) for inner in value]
    return value


def struct(values: Mapping[str, Json]) -> Any:
    """The inverse of `plain`."""
    message = struct_pb2.Struct()
    message.update({key: sent(value) for key, value in values.items()})
    return message


def has_unknown(value: Any) -> bool:
    """Whether some part of a value is unknown."""
    match value:
        case str():
            return value == UNKNOWN
        case list():
            return any(map(has_unknown, value))
        case dict():
            return any(map(has_unknown, value.values()))
    return False


def detailed(old: Any, new: Any) -> dict[str, str]:
    """Kinds of change by path; an element that replaces another one is an update."""
    kinds: dict[str, str] = {}
    for path, kind in changes(old, new):
        kinds[path] = "UPDATE" if kinds.get(path, kind) != kind else kind
    return kinds


def changes(old: Any, new: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """(path, `ADD`, `DELETE` or `UPDATE`) of each difference, in the engine's syntax: `a.b[0].c`.

    Elements with names are matched by name; their path has the position in the program's list.
    """
    match old, new:
        case dict(), dict():
            for key in sorted(old.keys() | new.keys()):
                yield from _part(old, new, key, _below(path, key))
        case list(), list() if _are_named(old) and _are_named(new):
            before, after = ({element["name"]: at for at, element in enumerate(side)} for side in (old, new))
            for name in sorted(before.keys() | after.keys()):
                if name in before and name in after:
                    yield from changes(old[before[name]], new[after[name]], f"{path}[{after[name]}]")
                else:
                    yield f"{path}[{after.get(name, before.get(name))}]", "ADD" if name in after else "DELETE"
        case list(), list():
            for at in range(max(len(old), len(new))):
                before, after = ({at: side[at]} if at < len(side) else {} for side in (old, new))
                yield from _part(before, after, at, f"{path}[{at}]")
        case _ if old != new:
            yield path, "UPDATE"


def _part(old: Mapping[Any, Any], new: Mapping[Any, Any], key: Any, path: str) -> Iterator[tuple[str, str]]:
    if key in old and key in new:
        yield from changes(old[key], new[key], path)
    else:
        yield path, "ADD" if key in new else "DELETE"


def _below(path: str, key: str) -> str:
    if key.replace("_", "a").isalnum():
        return f"{path}.{key}" if path else key
    quoted = key.replace("\\", "\\\\").replace('"', '\\"')
    return f'{path}["{quoted}"]'


def _are_named(values: list[Any]) -> bool:
    return all(isinstance(value, dict) and "name" in value for value in values)
