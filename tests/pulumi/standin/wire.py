"""Between the engine's structs and plain values, and the differences of plain values.

The server declines secrets and resource references, so the engine sends neither; what is left is one marker text for
what is not known yet, and numbers that are all floats.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from google.protobuf import json_format, struct_pb2

UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9"
"""What stands for a value that a preview cannot know."""

Inputs = dict[str, Any]


def plain(message: Any) -> Inputs:
    """A struct as a dict, with whole numbers as int, and without empty and internal keys."""
    told = json_format.MessageToDict(message)
    return {key: _whole(value) for key, value in told.items() if value is not None and not key.startswith("__")}


def _whole(value: Any) -> Any:
    match value:
        case float() if value.is_integer():
            return int(value)
        case list():
            return [_whole(one) for one in value]
        case dict():
            return {key: _whole(one) for key, one in value.items() if one is not None}
    return value


def struct(values: Mapping[str, Any]) -> Any:
    """The inverse of `plain`."""
    message = struct_pb2.Struct()
    message.update(values)
    return message


def has_unknown(value: Any) -> bool:
    """Whether some part of a value is not known yet."""
    match value:
        case str():
            return value == UNKNOWN
        case list():
            return any(map(has_unknown, value))
        case dict():
            return any(map(has_unknown, value.values()))
    return False


def changes(old: Any, new: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """(path, `ADD`, `DELETE` or `UPDATE`) of what differs, in the engine's syntax: `a.b[0].c`.

    Elements that have names belong together by these, and are called by their place in the program's list.
    """
    match old, new:
        case dict(), dict():
            for key in sorted(old.keys() | new.keys()):
                yield from _part(old.get(key), new.get(key), f"{path}.{key}" if path else key)
        case list(), list() if _are_named(old) and _are_named(new):
            before, after = ({one["name"]: at for at, one in enumerate(side)} for side in (old, new))
            for name in sorted(before.keys() | after.keys()):
                at = after.get(name, before.get(name))
                was = old[before[name]] if name in before else None
                yield from _part(was, new[after[name]] if name in after else None, f"{path}[{at}]")
        case list(), list():
            for at in range(max(len(old), len(new))):
                was, is_now = (side[at] if at < len(side) else None for side in (old, new))
                yield from _part(was, is_now, f"{path}[{at}]")
        case _ if old != new:
            yield path, "UPDATE"


def _part(old: Any, new: Any, path: str) -> Iterator[tuple[str, str]]:
    if old is None or new is None:
        yield path, "ADD" if old is None else "DELETE"
    else:
        yield from changes(old, new, path)


def _are_named(values: list[Any]) -> bool:
    return all(isinstance(one, dict) and "name" in one for one in values)
