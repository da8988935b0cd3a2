"""Access to rows of Cassandra for upgrades during a read."""

from collections.abc import Mapping
from typing import Any

from keywright.drivers.cassandra.values import plain
from keywright.engines.cassandra.declare.options import SCHEMA_VERSION, CqlTable
from keywright.engines.cassandra.migrate import transform
from keywright.engines.cassandra.schema.lower import entity_shape
from keywright.ir.apply_transform import REMOVED
from keywright.ir.binding import Binding
from keywright.runtime.items.upgraded import ItemAccess


def stored(binding: Binding[CqlTable]) -> ItemAccess:
    """See `ItemAccess`. A null is a missing value, and a row without the version column is a partial row."""
    types = {field.stored: field.type for field in entity_shape(binding).fields}
    return ItemAccess(
        version=_version,
        holds=lambda row, paths: all(path in row for path in paths),
        plain=lambda row: {name: plain(value) for name, value in row.items() if value is not None},
        native=_native,
        form=lambda path, value: transform.form(path, value, types.get(path)),
    )


def _version(row: Any) -> int | None:
    if SCHEMA_VERSION not in row:
        return None
    version = row[SCHEMA_VERSION]
    return version if isinstance(version, int) else 1


def _native(row: Any, changes: Mapping[str, Any]) -> Any:
    return {**row, **{name: None if value is REMOVED else value for name, value in changes.items()}}
