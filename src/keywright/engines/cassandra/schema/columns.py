"""The columns of an entity's rows, for check, lower and the runtime."""

from collections.abc import Iterator
from typing import Literal, TypeAlias

from keywright.declare.names import names, ordered
from keywright.ir.attribute import Attribute, Struct
from keywright.ir.binding import Binding
from keywright.ir.entity import resolve
from keywright.ir.template import Template
from keywright.record import Record

from ..declare.options import SCHEMA_VERSION, CqlTable
from .typemap import holds_duration, is_collection, native_type

Role: TypeAlias = Literal["partition", "clustering", "static", "regular"]


class StoredColumn(Record):
    """A column of an entity and the source of its value."""

    name: str
    """Stored name."""
    type: str
    """Native type."""
    role: Role
    """Its role in the table."""
    attribute: Attribute | None = None
    """The stored field; None for a computed column."""
    template: Template | None = None
    """The template of a computed column."""
    is_descending: bool = False
    """Whether the largest value of a clustering column is first."""


def columns_of(binding: Binding[CqlTable]) -> tuple[StoredColumn, ...]:
    """All columns: the primary key in its order, then the others in order of declaration."""
    table = binding.spec
    key = [*names(table.partition), *names(table.clustering)]
    key_columns = [_column(binding, name.removeprefix("-"), is_descending=name.startswith("-")) for name in key]
    key_names = {column.name for column in key_columns}
    others = [_column(binding, name) for name in _others(binding)]
    return (*key_columns, *(column for column in others if column.name not in key_names))


def column_named(binding: Binding[CqlTable], name: str) -> StoredColumn | None:
    """The column of a field or computed attribute, by its name in Python."""
    attribute = binding.entity.attribute(name)
    stored = attribute.stored if attribute else name
    return next((column for column in columns_of(binding) if column.name == stored), None)


def stored_name(binding: Binding[CqlTable], name: str) -> str:
    """Stored name of a field or computed attribute."""
    attribute = binding.entity.attribute(name)
    return attribute.stored if attribute else name


def _others(binding: Binding[CqlTable]) -> Iterator[str]:
    yield from (attribute.name for attribute in binding.entity.attributes)
    yield from binding.computed
    if binding.spec.schema_version > 1:
        yield SCHEMA_VERSION


def _column(binding: Binding[CqlTable], name: str, *, is_descending: bool = False) -> StoredColumn:
    table, attribute, template = binding.spec, binding.entity.attribute(name), binding.computed.get(name)
    role = _role(table, name)
    if attribute is not None:
        return StoredColumn(attribute.stored, field_type(binding, attribute), role, attribute, None, is_descending)
    if template is not None:
        return StoredColumn(name, _computed_type(binding, template), role, None, template, is_descending)
    return StoredColumn(name, "int" if name == SCHEMA_VERSION else "text", role, None, None, is_descending)


def key_problem(column: StoredColumn) -> tuple[str, str] | None:
    """The reason why a column cannot be part of a key, and a help line; None if it can."""
    name, kind = column.name, column.attribute.type if column.attribute else None
    if "." in name:
        return f'"{name}" is inside an embedded model and cannot be part of a key', "copy it: computed={...}"
    if kind is not None and holds_duration(kind, column.type):
        return (
            f'"{name}" is a duration, which has no order and cannot be part of a key',
            f'types={{"{name}": "bigint"}}',
        )
    if is_collection(kind) and not column.type.startswith("frozen<"):
        return f'"{name}" is a collection and cannot be part of a key unless it is frozen', f'add frozen="{name}"'
    if isinstance(kind, Struct) and not column.type.startswith("frozen<"):
        return f'"{name}" is an unfrozen {column.type} and cannot be part of a key', "remove it from unfrozen="
    return None


def field_type(binding: Binding[CqlTable], attribute: Attribute) -> str:
    """Native type of a top-level field."""
    table, name = binding.spec, attribute.name
    if name in names(table.counters):
        return "counter"
    is_struct = isinstance(attribute.type, Struct)
    is_frozen = name not in names(table.unfrozen) if is_struct else name in names(table.frozen)
    return native_type(attribute.type, is_frozen=is_frozen, chosen=table.types.get(name))


def _computed_type(binding: Binding[CqlTable], template: Template) -> str:
    """The type of the field if the template is a single field, else text."""
    if template.lone is None:
        return "text"
    path = resolve(binding.entity.attributes, template.lone.path)
    assert path is not None  # the frontend has checked it
    return field_type(binding, path[0]) if len(path) == 1 else native_type(path[-1].type, is_frozen=True)


def _role(table: CqlTable, name: str) -> Role:
    if name in names(table.partition):
        return "partition"
    if name in ordered(table.clustering):
        return "clustering"
    return "static" if name in names(table.static) else "regular"
