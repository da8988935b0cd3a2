"""Generates the functions that create the key and the row of a model."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from keywright.engines.cassandra.declare.options import CqlTable
from keywright.engines.cassandra.schema.columns import StoredColumn, columns_of
from keywright.engines.cassandra.schema.row import ExpiringRow
from keywright.engines.cassandra.schema.typemap import as_tuple, element_type, native_type
from keywright.ir.attribute import Attribute, Many, Map, Scalar, Struct, Tuple, Type
from keywright.ir.binding import Binding
from keywright.ir.entity import resolve
from keywright.ir.template import Template
from keywright.runtime.function_source import FunctionSource
from keywright.runtime.items import text as forms
from keywright.runtime.items import tuples
from keywright.runtime.items.templates import expression, value_of

from .values import WRITE, in_order, sorted_map


def native_writer(type: Type, native: str) -> Callable[[Any], Any]:
    """A function that converts a value to its native form. None stays None."""
    source = FunctionSource()
    converted = NativeWriter(source).native(type, "v", native)
    source.define("written(v)", [f"return None if v is None else {converted}"])
    return source.compile("written")


class NativeWriter:
    """Generates expressions of native values."""

    def __init__(self, source: FunctionSource) -> None:
        self.source = source

    def attribute(self, attribute: Attribute, value: str, native: str) -> str:
        """Python expression of an attribute's native value."""
        converted = self.native(attribute.type, value, native)
        return (
            f"(None if {value} is None else {converted})" if attribute.is_nullable and converted != value else converted
        )

    def native(self, type: Type, value: str, native: str) -> str:
        """Python expression of the native form of a value that is not None."""
        match type:
            case Scalar():
                return self._scalar(type, value, native)
            case Many(is_vector=True):
                return f"[{self.native(type.element, 'v', element_type(type))} for v in {value}]"
            case Many(is_tuple=True):
                return self.native(as_tuple(type), value, native)
            case Tuple():
                return f"tuple({tuples.written(type, value, self.source, self._inner)})"
            case Many(kind="set"):
                return f"{self.source.use(in_order, 'in_order')}({self._inner(type.element)} for v in {value})"
            case Many():
                return f"[{self._inner(type.element)} for v in {value}]"
            case Map():
                key = self.native(type.key, "k", native_type(type.key))
                pairs = f"{{{key}: {self._inner(type.value)} for k, v in {value}.items()}}"
                return f"{self.source.use(sorted_map, 'sorted_map')}({pairs})"
            case Struct():
                return f"{self._struct(type)}({value})"

    def _inner(self, type: Type) -> str:
        return self.native(type, "v", native_type(type))

    def _scalar(self, type: Scalar, value: str, native: str) -> str:
        if type.constants:
            value = f"{self.source.use(forms.plain, 'plain')}({value})"
        if type.is_converted:
            value = f"str({value})"
        convert = WRITE.get((type.kind, native))
        return f"{self.source.use(convert, type.kind)}({value})" if convert else value

    def _struct(self, type: Struct) -> str:
        """Name of a function that creates the tuple of an embedded model."""
        name = self.source.fresh(type.name)
        parts = [
            self.attribute(attribute, value_of(attribute.name, "e"), native_type(attribute.type))
            for attribute in type.attributes
        ]
        self.source.define(f"{name}(e)", [f"return ({', '.join(parts)},)"])
        return name


class Writer(NativeWriter):
    """Generates `key_of(m)` and `to_items(m)`."""

    def __init__(self, binding: Binding[CqlTable], source: FunctionSource) -> None:
        super().__init__(source)
        self.binding = binding
        self.columns = columns_of(binding)

    def key(self) -> None:
        """Generate `key_of(m)`: the columns of the primary key, in its order."""
        self._function(
            "key_of(m)", [column for column in self.columns if column.role in ("partition", "clustering")], "{}"
        )

    def items(self) -> None:
        """Generate `to_items(m)`: a row with all its columns, and with its expiry if the model has one."""
        field = self.binding.entity.ttl
        if field is None:
            self._function("to_items(m)", list(self.columns), "[{}]")
            return
        delay = self.source.use(timedelta(seconds=field.ttl_after_seconds or 0), "after")
        value = value_of(field.name, "m")
        expires_at = f"{self.source.use(forms.utc, 'utc')}({value}) + {delay}"
        if field.is_nullable:
            expires_at = f"None if {value} is None else {expires_at}"
        self._function(
            "to_items(m)", list(self.columns), f"[{self.source.use(ExpiringRow, 'Row')}({{}}, {expires_at})]"
        )

    def _function(self, head: str, columns: list[StoredColumn], form: str) -> None:
        pairs = ", ".join(f"{column.name!r}: {self._column(column)}" for column in columns)
        self.source.define(head, ["return " + form.replace("{}", f"{{{pairs}}}")])

    def _column(self, column: StoredColumn) -> str:
        if column.attribute is not None:
            return self.attribute(column.attribute, value_of(column.attribute.name, "m"), column.type)
        if column.template is not None:
            return self._computed(column.template, column.type)
        return repr(self.binding.spec.schema_version)

    def _computed(self, template: Template, native: str) -> str:
        """Python expression of a computed column. A template of a single field keeps the type of the field."""
        attributes = resolve(self.binding.entity.attributes, template.lone.path) if template.lone else None
        if template.lone is None or attributes is None:
            return expression(template, self.binding, "m", self.source)
        return self.attribute(attributes[-1], value_of(template.lone.path, "m"), native)
