"""Generates functions that convert a model to MongoDB filters and documents."""

from bson import Int64

from keywright.declare.store import VERSION
from keywright.engines.mongodb.declare.options import AnyCollection
from keywright.engines.mongodb.schema.fields import ID, chosen_type, id_attribute, stored_name
from keywright.engines.mongodb.schema.filters import omitted_fields
from keywright.engines.mongodb.schema.typemap import native_type
from keywright.errors import UsageError
from keywright.ir.attribute import Attribute, Many, Map, Scalar, Struct, Tuple, Type, Union
from keywright.ir.binding import Binding
from keywright.ir.entity import resolve
from keywright.ir.template import Template
from keywright.runtime.function_source import FunctionSource
from keywright.runtime.items import map_keys, tuples
from keywright.runtime.items import text as forms
from keywright.runtime.items.expressions import by_class, in_order, tag_of
from keywright.runtime.items.templates import expression, value_of

from .values import WRITE


class Writer:
    """Generates the functions for filters and documents."""

    def __init__(self, binding: Binding[AnyCollection], source: FunctionSource) -> None:
        self.binding, self.source = binding, source
        self.attributes = binding.entity.attributes
        self.omitted_fields = omitted_fields(binding)

    def key(self) -> None:
        """Generate `key_of(m)`: the filter that selects the document."""
        identity = self._id()
        if identity is None:
            problem = f'documents of "{self.binding.name}" have no id of their own: the server generates it'
            error = self.source.use(UsageError, "UsageError")
            self.source.define("key_of(m)", [f"raise {error}({problem!r}, 'declare id= for the collection')"])
        else:
            self.source.define("key_of(m)", [f"return {{{ID!r}: {identity}}}"])

    def items(self) -> None:
        """Generate `to_items(m)`."""
        identity = self._id()
        body = ["item = {}" if identity is None else f"item = {{{ID!r}: {identity}}}"]
        for attribute in self.attributes:
            if attribute is not id_attribute(self.binding):
                name = stored_name(self.binding, attribute)
                body += self._attribute("item", name, attribute, value_of(attribute.name, "m"), attribute.name)
        for name, template in self.binding.computed.items():
            body.append(f"item[{name!r}] = {self._text(template)}")
        if (version := self.binding.spec.schema_version) > 1:
            body.append(f"item[{VERSION!r}] = {version}")
        self.source.define("to_items(m)", [*body, "return [item]"])

    def _id(self) -> str | None:
        """Python source of `_id`; None if the server generates it."""
        attribute, template = id_attribute(self.binding), self.binding.templates.get("id")
        if attribute is not None:
            return self.native(attribute.type, value_of(attribute.name, "m"), attribute.name)
        return self._text(template) if template else None

    def _text(self, template: Template) -> str:
        """Python source of a template's value: text, or the native value of a lone field."""
        lone = template.lone
        attributes = resolve(self.attributes, lone.path) if lone and lone.path else None
        if lone and attributes:
            return self.native(attributes[-1].type, value_of(lone.path, "m"), lone.path)
        return expression(template, self.binding, "m", self.source)

    def _attribute(self, into: str, name: str, attribute: Attribute, value: str, path: str) -> list[str]:
        line = f"{into}[{name!r}] = {self.native(attribute.type, value, path)}"
        if not attribute.is_nullable:
            return [line]
        lines = [f"if {value} is not None:", f"    {line}"]
        if attribute.is_required or path in self.omitted_fields:
            return lines
        # A missing field would be read as the default, which may differ from None.
        return [*lines, "else:", f"    {into}[{name!r}] = None"]

    def native(self, type: Type, value: str, path: str) -> str:
        """Python source of a value in its native type."""
        match type:
            case Scalar():
                return self._scalar(type, value, path)
            case Many():
                inner = self._inner(type.element, "v", path, type.has_null_elements)
                return f"[{inner} for v in {in_order(type, value, self.source)}]"
            case Tuple():
                return tuples.written(type, value, self.source, lambda element: self.native(element, "v", path))
            case Map():
                inner = self._inner(type.value, "v", path, type.has_null_values)
                return f"{{{map_keys.written(type.key, self.source)}: {inner} for k, v in {value}.items()}}"
            case Union():
                return by_class(
                    type, value, tag_of(type, self.source), lambda part: self._struct(part, path), self.source
                )
            case Struct():
                return f"{self._struct(type, path)}({value})"

    def _inner(self, type: Type, value: str, path: str, nullable: bool) -> str:
        source = self.native(type, value, path)
        return f"(None if {value} is None else {source})" if nullable and source != value else source

    def _scalar(self, type: Scalar, value: str, path: str) -> str:
        chosen = chosen_type(self.binding, path)
        native = native_type(type, chosen)
        if type.constants:
            value = f"{self.source.use(forms.plain, 'plain')}({value})"
        elif type.is_converted:
            value = f"str({value})"
        if chosen == "long" and type.kind == "integer":
            return f"{self.source.use(Int64, 'Int64')}({value})"
        convert = WRITE.get((type.kind, native))
        return f"{self.source.use(convert, type.kind)}({value})" if convert else value

    def _struct(self, type: Struct, path: str) -> str:
        """Name of a generated function for the document of an embedded model."""
        name = self.source.fresh(type.name)
        body = ["made = {}"]
        for attribute in type.attributes:
            inner = f"{path}.{attribute.name}"
            body += self._attribute("made", attribute.stored, attribute, value_of(attribute.name, "e"), inner)
        self.source.define(f"{name}(e)", [*body, "return made"])
        return name
