"""Access to hashes and JSON for upgrades while reading; other structures have no version."""

import json
from collections.abc import Mapping
from typing import Any

from keywright.declare.store import VERSION
from keywright.engines.redis.declare.options import Structure
from keywright.engines.redis.migrate import transform
from keywright.engines.redis.schema.lower import entity_shape
from keywright.ir.apply_transform import REMOVED
from keywright.ir.binding import Binding
from keywright.runtime.items.upgraded import ItemAccess

from . import values


def stored(binding: Binding[Structure], *, is_json: bool) -> ItemAccess:
    """See `ItemAccess`."""
    types = {field.stored: field.type for field in entity_shape(binding).fields}
    return ItemAccess(
        version=lambda item: _version(_plain(item, is_json=is_json).get(VERSION)),
        plain=lambda item: _plain(item, is_json=is_json),
        native=lambda item, changes: _native(item, changes, is_json=is_json),
        form=lambda path, value: transform.form(path, value, types.get(path), is_json=is_json),
    )


def _version(value: Any) -> int:
    return int(str(value)) if str(value).isdecimal() else 1


def _plain(item: Any, *, is_json: bool) -> dict[str, Any]:
    _, value = values.pair(item)
    if not is_json:
        return {name: _text(field_value) for name, field_value in values.fields(value).items()}
    document = values.load(value)
    return document if isinstance(document, dict) else {}


def _text(value: Any) -> Any:
    """The value as text; as bytes if it is no text."""
    try:
        return values.to_text(value)
    except UnicodeDecodeError:
        return value


def _native(item: Any, changes: Mapping[str, Any], *, is_json: bool) -> Any:
    key, _ = values.pair(item)
    document = {name: value for name, value in _plain(item, is_json=is_json).items() if name not in changes}
    document |= {name: value for name, value in changes.items() if value is not REMOVED}
    return key, json.dumps(document, ensure_ascii=False) if is_json else document
