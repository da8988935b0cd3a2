"""Generates the functions that make instances of a model from DynamoDB items, complete or in part."""

from functools import partial

from pydantic import BaseModel

from keywright.engines.dynamodb.declare.options import Item
from keywright.engines.dynamodb.schema.keys import attribute_type
from keywright.engines.dynamodb.schema.typemap import native_type
from keywright.ir.attribute import Attribute, Many, Map, Scalar, Struct, Tuple, Type, Union
from keywright.ir.binding import Binding
from keywright.runtime.function_source import FunctionSource
from keywright.runtime.items import map_keys, tuples
from keywright.runtime.items.expressions import by_class, instance
from keywright.runtime.items.part import maker, unset

from .native import SETS
from .values import in_set, reader, to_json


class Reader:
    """Generates `from_item(item)` and `from_part(item)`."""

    def __init__(self, binding: Binding[Item], source: FunctionSource) -> None:
        self.binding, self.source = binding, source
        self._structs: dict[tuple[str, str], str] = {}

    def instance(self, model: type[BaseModel]) -> None:
        """Define `from_item`: values by the names that the model accepts, then the model's validation."""
        body = self._values(self.binding.entity.attributes, "")
        self.source.define("from_item(item)", [*body, f"return {instance(model, self.source)}"])

    def part(self, model: type[BaseModel]) -> None:
        """Define `from_part` for items that lack attributes: only stored attributes are set."""
        body = ["values = {}"]
        for attribute in self.binding.entity.attributes:
            read = self._read(attribute.type, "v", self._native(attribute, attribute.name), attribute.name)
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
        """Lines that read the fields: required fields at once, or one at a time if an older item lacks some."""
        required = [attribute for attribute in attributes if attribute.is_required and not attribute.is_nullable]
        required = [
            attribute for attribute in required if self._native(attribute, f"{path}{attribute.name}") not in SETS
        ]
        body = ["values = {}"]
        if required:
            pairs = (
                f"        {attribute.given!r}: {self._direct(attribute, path + attribute.name)},"
                for attribute in required
            )
            one_by_one = (
                f"    {line}" for attribute in required for line in self._attribute(attribute, path + attribute.name)
            )
            body = ["try:", "    values = {", *pairs, "    }", "except KeyError:", "    values = {}", *one_by_one]
        for attribute in attributes:
            if attribute not in required:
                body += self._attribute(attribute, path + attribute.name)
        return body

    def _direct(self, attribute: Attribute, path: str) -> str:
        return self._read(attribute.type, f"item[{attribute.stored!r}]", self._native(attribute, path), path)

    def _native(self, attribute: Attribute, path: str) -> str:
        return attribute_type(self.binding, attribute, path)

    def _attribute(self, attribute: Attribute, path: str) -> list[str]:
        name, native = attribute.given, self._native(attribute, path)
        read = self._read(attribute.type, "v", native, path)
        if attribute.is_nullable:
            read = f"None if 'NULL' in v else {read}"
        lines = [f"v = item.get({attribute.stored!r})", "if v is not None:", f"    values[{name!r}] = {read}"]
        if attribute.is_nullable and attribute.is_required:
            lines += ["else:", f"    values[{name!r}] = None"]
        elif native in SETS and not attribute.is_nullable:
            lines += ["else:", f"    values[{name!r}] = ()"]  # an empty set is not stored
        return lines

    def _read(self, type: Type, value: str, native: str, path: str) -> str:
        """Python text that converts a native value, `{'S': ...}`."""
        match type:
            case Scalar(kind="json") if native == "JSON":
                return f"{self.source.use(to_json, 'to_json')}({value})"
            case Scalar():
                return self._scalar(type, f"{value}[{native!r}]", native)
            case Many(element=Scalar() as element) if native in SETS:
                inner = self._scalar(element, "v", native[0])
                elements = f"{self.source.use(in_set, 'in_set')}({value}, {native!r})"
                return elements if inner == "v" else f"[{inner} for v in {elements}]"
            case Many():
                return f"[{self._inner(type.element, path, type.has_null_elements)} for v in {value}['L']]"
            case Tuple():
                convert = partial(self._inner, path=path, nullable=False)
                return tuples.read(type, f"{value}['L']", self.source, convert, "'NULL' in v")
            case Map():
                inner = self._inner(type.value, path, type.has_null_values)
                return f"{{{map_keys.read(type.key, self.source)}: {inner} for k, v in {value}['M'].items()}}"
            case Union(tag=tag):
                tag_path = f"{path}.{tag.name}"
                stored = self._read(tag.type, f"v[{tag.stored!r}]", self._native(tag, tag_path), tag_path)
                return by_class(type, f"{value}['M']", stored, lambda part: self._struct(part, path), self.source)
            case Struct():
                return f"{self._struct(type, path)}({value}['M'])"

    def _scalar(self, type: Scalar, value: str, native: str) -> str:
        read = reader(type, native)
        return f"{self.source.use(read, f'read_{type.kind}')}({value})" if read else value

    def _inner(self, type: Type, path: str, nullable: bool) -> str:
        """Element of a list or value of a map, named `v`."""
        read = self._read(type, "v", native_type(type), path)
        return f"(None if 'NULL' in v else {read})" if nullable else read

    def _struct(self, type: Struct, path: str) -> str:
        """Name of a generated function that returns the values of an embedded model."""
        if (path, type.name) in self._structs:
            return self._structs[path, type.name]
        name = self._structs[path, type.name] = self.source.fresh(f"read_{type.name}")
        self.source.define(f"{name}(item)", [*self._values(type.attributes, f"{path}."), "return values"])
        return name
