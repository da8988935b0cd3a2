"""Generates functions that convert MongoDB documents to instances, whole or in part."""

from functools import partial

from pydantic import BaseModel

from keywright.engines.mongodb.declare.options import AnyCollection
from keywright.engines.mongodb.schema.fields import chosen_type, stored_name
from keywright.engines.mongodb.schema.typemap import native_type
from keywright.ir.attribute import Attribute, Many, Map, Scalar, Struct, Tuple, Type, Union
from keywright.ir.binding import Binding
from keywright.runtime.function_source import FunctionSource
from keywright.runtime.items import map_keys, tuples
from keywright.runtime.items.expressions import by_class, instance
from keywright.runtime.items.part import maker, unset
from keywright.runtime.validate.stored_types import elements, expected, members

from .values import READ


class Reader:
    """Generates `from_item(item)`."""

    def __init__(self, binding: Binding[AnyCollection], source: FunctionSource) -> None:
        self.binding, self.source = binding, source

    def instance(self, model: type[BaseModel]) -> None:
        """Generate the function: values under the model's input names, then its validation."""
        body = ["values = {}"]
        for attribute in self.binding.entity.attributes:
            body += self._attribute(attribute, stored_name(self.binding, attribute), attribute.name)
        self.source.define("from_item(item)", [*body, f"return {instance(model, self.source)}"])

    def part(self, model: type[BaseModel]) -> None:
        """Generate `from_part(item)`: only fields that exist, in the model's classes, without validation."""
        body = ["values = {}"]
        for attribute in self.binding.entity.attributes:
            name, expression = stored_name(self.binding, attribute), self.read(attribute.type, "v", attribute.name)
            if (make := maker(model, attribute)) is not None:
                expression = f"{self.source.use(make, attribute.name)}({expression})"
            line = f"    values[{attribute.name!r}] = {_or_none(expression) if attribute.is_nullable else expression}"
            body += [f"if {name!r} in item:", f"    v = item[{name!r}]", line]
        self.source.define(
            "from_part(item)", [*body, f"return {self.source.use(partial(unset, model), 'unset')}(values)"]
        )

    def _attribute(self, attribute: Attribute, name: str, path: str) -> list[str]:
        input_name, expression = attribute.given, self.read(attribute.type, "v", path)
        lines = [f"if {name!r} in item:", f"    v = item[{name!r}]"]
        lines.append(f"    values[{input_name!r}] = {_or_none(expression) if attribute.is_nullable else expression}")
        if attribute.is_required and attribute.is_nullable:
            lines += ["else:", f"    values[{input_name!r}] = None"]
        return lines

    def read(self, type: Type, value: str, path: str) -> str:
        """Python source that converts a native value."""
        match type:
            case Scalar():
                native = native_type(type, chosen_type(self.binding, path))
                convert = READ.get((type.kind, native))
                if convert is None:
                    return expected(self.source, type.kind, value)
                return f"{self.source.use(convert, type.kind)}({value})"
            case Many():
                inner = self.read(type.element, "v", path)
                listed = f"{self.source.use(elements, 'elements')}({value})"
                return f"[{_or_none(inner) if type.has_null_elements else inner} for v in {listed}]"
            case Tuple():
                return tuples.read(type, value, self.source, lambda element: self.read(element, "v", path))
            case Map():
                inner = self.read(type.value, "v", path)
                key, inner = map_keys.read(type.key, self.source), _or_none(inner) if type.has_null_values else inner
                return f"{{{key}: {inner} for k, v in {value}.items()}}"
            case Union(tag=tag):
                stored = self.read(tag.type, f"v[{tag.stored!r}]", f"{path}.{tag.name}")
                return by_class(type, value, stored, lambda part: self._struct(part, path), self.source)
            case Struct():
                return f"{self._struct(type, path)}({value})"

    def _struct(self, type: Struct, path: str) -> str:
        """Name of a generated function for the values of an embedded model."""
        name = self.source.fresh(type.name)
        body = [f"{self.source.use(members, 'members')}(item)", "values = {}"]
        for attribute in type.attributes:
            body += self._attribute(attribute, attribute.stored, f"{path}.{attribute.name}")
        self.source.define(f"{name}(item)", [*body, "return values"])
        return name


def _or_none(expression: str) -> str:
    return expression if expression == "v" else f"(None if v is None else {expression})"
