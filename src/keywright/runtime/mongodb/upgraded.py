"""Access to MongoDB documents for upgrades while they are read."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from keywright.declare.store import VERSION
from keywright.drivers.mongodb.values import native, plain
from keywright.engines.mongodb.declare.options import AnyCollection
from keywright.engines.mongodb.migrate import transform
from keywright.engines.mongodb.schema.lower import entity_shape
from keywright.ir.apply_transform import REMOVED
from keywright.ir.binding import Binding
from keywright.runtime.items.upgraded import ItemAccess


def stored(binding: Binding[AnyCollection]) -> ItemAccess:
    """See `ItemAccess`."""
    types = {field.stored: field.type for field in entity_shape(binding).fields}
    return ItemAccess(
        version=_version,
        plain=lambda document: {name: _aware(plain(value)) for name, value in document.items()},
        native=_native,
        form=lambda path, value: transform.form(path, value, types.get(path)),
    )


def _version(document: Any) -> int:
    version = document.get(VERSION)
    return version if isinstance(version, int) and not isinstance(version, bool) else 1


def _native(document: Any, changes: Mapping[str, Any]) -> Any:
    unchanged = {name: value for name, value in document.items() if name not in changes}
    return unchanged | {name: native(value) for name, value in changes.items() if value is not REMOVED}


def _aware(value: Any) -> Any:
    """A value with its times in UTC; a client without time zones returns naive times in UTC."""
    match value:
        case datetime() if value.tzinfo is None:
            return value.replace(tzinfo=UTC)
        case dict():
            return {name: _aware(inner) for name, inner in value.items()}
        case list():
            return [_aware(inner) for inner in value]
        case _:
            return value
