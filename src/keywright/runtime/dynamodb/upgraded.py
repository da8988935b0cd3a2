"""Access to DynamoDB items for upgrades while reading."""

from collections.abc import Mapping
from typing import Any

from keywright.declare.store import VERSION
from keywright.drivers.dynamodb.values import native, plain
from keywright.engines.dynamodb.declare.options import Item
from keywright.engines.dynamodb.migrate import transform
from keywright.engines.dynamodb.schema.lower import entity_shape
from keywright.ir.apply_transform import REMOVED
from keywright.ir.binding import Binding
from keywright.runtime.items.upgraded import ItemAccess


def stored(binding: Binding[Item]) -> ItemAccess:
    """See `ItemAccess`."""
    types = {field.stored: field.type for field in entity_shape(binding).fields}
    return ItemAccess(
        version=_version,
        plain=lambda item: {name: plain(value) for name, value in item.items()},
        native=_native,
        form=lambda path, value: transform.form(path, value, types.get(path)),
    )


def _version(item: Any) -> int:
    version = item.get(VERSION, {}).get("N", "")
    return int(version) if version.isdecimal() else 1


def _native(item: Any, changes: Mapping[str, Any]) -> Any:
    unchanged = {name: value for name, value in item.items() if name not in changes}
    return unchanged | {name: native(value) for name, value in changes.items() if value is not REMOVED}
