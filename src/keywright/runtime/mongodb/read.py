"""Writes the functions that make instances of MongoDB documents, whole or in part."""

from functools import partial

from pydantic import BaseModel

from keywright.engines.mongodb.fields import chosen_type, stored_name
from keywright.engines.mongodb.typemap import native_type
from keywright.ir.attribute import Attribute, Many, Map, Scalar, Struct, Type
from keywright.ir.binding import Binding
from keywright.runtime.instance import instance
from keywright.runtime.part import maker, unset
from keywright.runtime.source import Source

from .values import READ


class Reader:
    """Writes `from_item(item)`."""

    def __init__(self, binding: Binding, source: Source) -> None:
        self.binding, self.source = binding, source

    def instance(self, model: type[BaseModel]) -> None:
        """Write the function: values by the names under which the model takes them, then its validation."""
        body = ["values = {}"]
        for attribute in self.binding.entity.attributes:
            body += self._attribute(attribute, stored_name(self.binding, attribute), attribute.name)
        self.source.define("from_item(item)", [*body, f"return {instance(model, self.source)}"])

    def part(self, model: type[BaseModel]) -> None:
        """Write `from_part(item)`: only what is there, in the classes of the model, and without validation."""
        body = ["values = {}"]
        for attribute in self.binding.entity.attributes:
            name, read = stored_name(self.binding, attribute), self.read(attribute.type, "v", attribute.name)
            if (make := maker(model, attribute)) is not None:
                read = f"{self.source.use(make, attribute.name)}({read})"
            line = f"    values[{attribute.name!r}] = {_or_none(read) if attribute.is_nullable else read}"
            body += [f"if {name!r} in item:", f"    v = item[{name!r}]", line]
        self.source.define(
            "from_part(item)", [*body, f"return {self.source.use(partial(unset, model), 'unset')}(values)"]
        )

    def _attribute(self, attribute: Attribute, name: str, path: str) -> list[str]:
        given, read = attribute.given, self.read(attribute.type, "v", path)
        lines = [f"if {name!r} in item:", f"    v = item[{name!r}]"]
        lines.append(f"    values[{given!r}] = {_or_none(read) if attribute.is_nullable else read}")
        if attribute.is_required and attribute.is_nullable:
            lines += ["else:", f"    values[{given!r}] = None"]
        return lines

    def read(self, type: Type, value: str, path: str) -> str:
        """Python text of a native value as Python's."""
        match type:
            case Scalar():
                native = native_type(type, chosen_type(self.binding, path))
                convert = READ.get((type.kind, native))
                return f"{self.source.use(convert, type.kind)}({value})" if convert else value
            case Many():
                inner = self.read(type.element, "v", path)
                return f"[{_or_none(inner) if type.has_null_elements else inner} for v in {value}]"
            case Map():
                inner = self.read(type.value, "v", path)
                return f"{{k: {_or_none(inner) if type.has_null_values else inner} for k, v in {value}.items()}}"
            case Struct():
                return f"{self._struct(type, path)}({value})"

    def _struct(self, type: Struct, path: str) -> str:
        """Name of a function that makes the values of an embedded model."""
        name = self.source.fresh(type.name)
        body = ["values = {}"]
        for attribute in type.attributes:
            body += self._attribute(attribute, attribute.stored, f"{path}.{attribute.name}")
        self.source.define(f"{name}(item)", [*body, "return values"])
        return name


def _or_none(read: str) -> str:
    return read if read == "v" else f"(None if v is None else {read})"
