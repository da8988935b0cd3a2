"""Unreadable values of a stored item, found by reading each value alone."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import ValidationError

from keywright.ir.binding import Binding

from .codec import Codec


def undecoded(codec: Codec[Any], binding: Binding, item: Any) -> tuple[str, ...]:
    """Names of the fields whose stored values cannot be read; empty if they cannot be determined."""
    names = {attribute.stored: attribute.name for attribute in binding.entity.attributes}
    return tuple(names.get(name, name) for name, single in _single_values(item) if not _is_readable(codec, single))


def _single_values(item: Any) -> Iterator[tuple[str, Any]]:
    """(stored name, an item with only this value)."""
    match item:
        case Mapping():
            yield from ((str(name), {name: value}) for name, value in item.items())
        case (key, Mapping() as fields):
            yield from ((_text(name), (key, {name: value})) for name, value in fields.items())
        case (key, str() | bytes() as content) if isinstance(values := _parsed_json(content), dict):
            yield from ((name, (key, json.dumps({name: value}))) for name, value in values.items())
        case _:
            return


def _is_readable(codec: Codec[Any], item: Any) -> bool:
    try:
        codec.from_part(item)
    except ValidationError:
        return True  # the value is readable, and the model's rejection is reported elsewhere
    except Exception:  # noqa: BLE001  # a stored value may be anything
        return False
    return True


def _parsed_json(content: str | bytes) -> Any:
    try:
        return json.loads(content)
    except ValueError:
        return None


def _text(name: str | bytes) -> str:
    return name.decode("utf-8", "replace") if isinstance(name, bytes) else name
