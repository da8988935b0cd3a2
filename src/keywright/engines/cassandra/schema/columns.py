"""What one entity's rows consist of: read by check, lower and the runtime alike."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from keywright.declare.names import names, ordered
from keywright.ir.attribute import Attribute, Many, Map, Struct
from keywright.ir.binding import Binding
from keywright.ir.entity import resolve
from keywright.ir.template import Template

from .options import SCHEMA_VERSION, CqlTable
from .typemap import holds_duration, native_type

Role: TypeAlias = Literal["partition", "clustering", "static", "regular"]


@dataclass(frozen=True, slots=True)
class StoredColumn:
    """One column of one entity and what fills it."""

    name: str
    """Stored name."""
    type: str
    """Native type."""
    role: Role
    """What it is to the table."""
    attribute: Attribute | None = None
    """The field that it holds."""
    template: Template | None = None
    """What fills it, where it is computed."""
    is_descending: bool = False
    """Whether the largest comes first, of a clustering column."""


def table_of(binding: Binding) -> CqlTable:
    """The declaration behind a binding of this engine."""
    assert isinstance(binding.spec, CqlTable)
    return binding.spec


def columns_of(binding: Binding) -> tuple[StoredColumn, ...]:
    """All columns: the primary key in its order, then the others as declared."""
    table = table_of(binding)
    key = [*names(table.partition), *names(table.clustering)]
    first = [_column(binding, name.removeprefix("-"), is_descending=name.startswith("-")) for name in key]
    known = {column.name for column in first}
    rest = [_column(binding, name) for name in _others(binding)]
    return (*first, *(column for column in rest if column.name not in known))


def column_named(binding: Binding, name: str) -> StoredColumn | None:
    """The column of a field or computed attribute, by its Python name."""
    attribute = binding.entity.attribute(name)
    stored = attribute.stored if attribute else name
    return next((column for column in columns_of(binding) if column.name == stored), None)


def stored_name(binding: Binding, name: str) -> str:
    """Stored name of a field or computed attribute."""
    attribute = binding.entity.attribute(name)
    return attribute.stored if attribute else name


def _others(binding: Binding) -> Iterator[str]:
    yield from (attribute.name for attribute in binding.entity.attributes)
    yield from binding.computed
    if table_of(binding).schema_version > 1:
        yield SCHEMA_VERSION


def _column(binding: Binding, name: str, *, is_descending: bool = False) -> StoredColumn:
    table, attribute, template = table_of(binding), binding.entity.attribute(name), binding.computed.get(name)
    role = _role(table, name)
    if attribute is not None:
        return StoredColumn(attribute.stored, field_type(binding, attribute), role, attribute, None, is_descending)
    if template is not None:
        return StoredColumn(name, _computed_type(binding, template), role, None, template, is_descending)
    return StoredColumn(name, "int" if name == SCHEMA_VERSION else "text", role, None, None, is_descending)


def key_problem(column: StoredColumn) -> tuple[str, str] | None:
    """Why a column cannot be part of a key, and what to do; None if it can."""
    name, kind = column.name, column.attribute.type if column.attribute else None
    if "." in name:
        return f'"{name}" is inside an embedded model and cannot be part of a key', "copy it: computed={...}"
    if kind is not None and holds_duration(kind, column.type):
        return (
            f'"{name}" holds a duration, which has no order and cannot be part of a key',
            f'types={{"{name}": "bigint"}}',
        )
    if isinstance(kind, (Many, Map)) and not column.type.startswith("frozen<"):
        return f'"{name}" is a collection and cannot be part of a key unless it is frozen', f'add frozen="{name}"'
    if isinstance(kind, Struct) and not column.type.startswith("frozen<"):
        return f'"{name}" is an unfrozen {column.type} and cannot be part of a key', "take it out of unfrozen="
    return None


def field_type(binding: Binding, attribute: Attribute) -> str:
    """Native type of a field at the top of the entity."""
    table, name = table_of(binding), attribute.name
    if name in names(table.counters):
        return "counter"
    is_struct = isinstance(attribute.type, Struct)
    is_frozen = name not in names(table.unfrozen) if is_struct else name in names(table.frozen)
    return native_type(attribute.type, is_frozen=is_frozen, chosen=table.types.get(name))


def _computed_type(binding: Binding, template: Template) -> str:
    """Text, unless the template is a field alone, which keeps its type."""
    if template.lone is None:
        return "text"
    path = resolve(binding.entity.attributes, template.lone.path)
    assert path is not None  # the frontend has seen to it
    return field_type(binding, path[0]) if len(path) == 1 else native_type(path[-1].type, is_frozen=True)


def _role(table: CqlTable, name: str) -> Role:
    if name in names(table.partition):
        return "partition"
    if name in ordered(table.clustering):
        return "clustering"
    return "static" if name in names(table.static) else "regular"
