"""Writes the functions that make instances of a model from DynamoDB items, whole or in part."""

from functools import partial

from pydantic import BaseModel

from keywright.engines.dynamodb.keys import field_type
from keywright.engines.dynamodb.typemap import native_type
from keywright.ir.attribute import Attribute, Many, Map, Scalar, Struct, Type
from keywright.ir.binding import Binding
from keywright.runtime.instance import instance
from keywright.runtime.part import maker, unset
from keywright.runtime.source import Source

from .native import SETS
from .values import READ, to_json


class Reader:
    """Writes `from_item(item)` and `from_part(item)`."""

    def __init__(self, binding: Binding, source: Source) -> None:
        self.binding, self.source = binding, source
        self._structs: dict[str, str] = {}

    def instance(self, model: type[BaseModel]) -> None:
        """Write the function: values by the names under which the model takes them, then its validation."""
        body = self._values(self.binding.entity.attributes, "")
        self.source.define("from_item(item)", [*body, f"return {instance(model, self.source)}"])

    def part(self, model: type[BaseModel]) -> None:
        """Write the function for items that lack attributes: what is there is read, the rest is not set."""
        body = ["values = {}"]
        for attribute in self.binding.entity.attributes:
            read = self._read(attribute.type, "v", field_type(self.binding, attribute.name), attribute.name)
            if (make := maker(model, attribute)) is not None:
                read = f"{self.source.use(make, attribute.name)}({read})"
            if attribute.is_nullable:
                read = f"None if 'NULL' in v else {read}"
            lines = [f"v = item.get({attribute.stored!r})", "if v is not None:"]
            body += [*lines, f"    values[{attribute.name!r}] = {read}"]
        self.source.define(
            "from_part(item)", [*body, f"return {self.source.use(partial(unset, model), 'unset')}(values)"]
        )

    def _values(self, attributes: tuple[Attribute, ...], path: str) -> list[str]:
        """Lines that read the fields: those of every item at once, and one by one in an older item that lacks some."""
        always = [one for one in attributes if one.is_required and not one.is_nullable]
        always = [one for one in always if field_type(self.binding, f"{path}{one.name}") not in SETS]
        body = ["values = {}"]
        if always:
            pairs = (f"        {one.given!r}: {self._direct(one, path + one.name)}," for one in always)
            tolerant = (f"    {line}" for one in always for line in self._attribute(one, path + one.name))
            body = ["try:", "    values = {", *pairs, "    }", "except KeyError:", "    values = {}", *tolerant]
        for one in attributes:
            if one not in always:
                body += self._attribute(one, path + one.name)
        return body

    def _direct(self, attribute: Attribute, path: str) -> str:
        return self._read(attribute.type, f"item[{attribute.stored!r}]", field_type(self.binding, path), path)

    def _attribute(self, attribute: Attribute, path: str) -> list[str]:
        given, native = attribute.given, field_type(self.binding, path)
        read = self._read(attribute.type, "v", native, path)
        if attribute.is_nullable:
            read = f"None if 'NULL' in v else {read}"
        lines = [f"v = item.get({attribute.stored!r})", "if v is not None:", f"    values[{given!r}] = {read}"]
        if attribute.is_nullable and attribute.is_required:
            lines += ["else:", f"    values[{given!r}] = None"]
        elif native in SETS and not attribute.is_nullable:
            lines += ["else:", f"    values[{given!r}] = ()"]  # an empty set is not stored
        return lines

    def _read(self, type: Type, value: str, native: str, path: str) -> str:
        """Python text of a native value, `{'S': ...}`, as Python's."""
        match type:
            case Scalar(kind="json") if native == "JSON":
                return f"{self.source.use(to_json, 'to_json')}({value})"
            case Scalar():
                return self._scalar(type, f"{value}[{native!r}]", native)
            case Many(element=Scalar() as element) if native in SETS:
                inner = self._scalar(element, "v", native[0])
                elements = f"{value}.get({native!r}, ())"
                return elements if inner == "v" else f"[{inner} for v in {elements}]"
            case Many():
                return f"[{self._inner(type.element, path, type.has_null_elements)} for v in {value}['L']]"
            case Map():
                inner = self._inner(type.value, path, type.has_null_values)
                return f"{{k: {inner} for k, v in {value}['M'].items()}}"
            case Struct():
                return f"{self._struct(type, path)}({value}['M'])"

    def _scalar(self, type: Scalar, value: str, native: str) -> str:
        read = READ.get((type.kind, native))
        return f"{self.source.use(read, f'read_{type.kind}')}({value})" if read else value

    def _inner(self, type: Type, path: str, nullable: bool) -> str:
        """An element of a list or a value of a map, named `v`."""
        read = self._read(type, "v", native_type(type), path)
        return f"(None if 'NULL' in v else {read})" if nullable else read

    def _struct(self, type: Struct, path: str) -> str:
        """Name of a function that makes the values of an embedded model."""
        if path in self._structs:
            return self._structs[path]
        name = self._structs[path] = self.source.fresh(f"read_{type.name}")
        self.source.define(f"{name}(item)", [*self._values(type.attributes, f"{path}."), "return values"])
        return name
