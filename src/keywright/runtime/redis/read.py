"""Generates the function that makes an instance of a model from a stored item."""

from collections.abc import Callable, Iterable
from datetime import date, datetime, time
from typing import Any
from uuid import UUID

from pydantic import BaseModel

from keywright.engines.redis.declare.options import Structure
from keywright.engines.redis.schema.layout import (
    FIELD_KINDS,
    decided_by_key,
    kind_of,
    stored_attributes,
    value_field,
)
from keywright.engines.redis.schema.packed_score import packing_of
from keywright.engines.redis.schema.place import prefix
from keywright.ir.attribute import Attribute, Many, Map, Scalar, Struct, Tuple, Type, Union
from keywright.ir.binding import Binding
from keywright.runtime.function_source import FunctionSource
from keywright.runtime.items import map_keys, tuples
from keywright.runtime.items.expressions import by_class, instance
from keywright.runtime.items.part import maker, unset
from keywright.runtime.items.templates import reader
from keywright.runtime.validate.stored_types import CLASSES, elements, expected, members

from . import values

_JSON: dict[str, Callable[[Any], Any]] = {
    "decimal": values.to_decimal, "duration": values.to_duration, "bytes": values.from_base64, "uuid": UUID,
    "datetime": datetime.fromisoformat, "date": date.fromisoformat, "time": time.fromisoformat,
}  # fmt: skip
"""Functions from a JSON value to a Python value; other kinds are read unchanged if the class is right."""

_TEXT = _JSON | {"integer": int, "float": float, "boolean": values.to_flag, "json": values.load}
"""Functions from a text to a Python value."""


class Reader:
    """Generates `from_item(item)` and `from_part(item)`."""

    def __init__(self, binding: Binding[Structure], source: FunctionSource) -> None:
        self.binding, self.source = binding, source
        self.kind = kind_of(binding)

    def instance(self, model: type[BaseModel]) -> None:
        """Generate `from_item`: values by the model's input names, then its validation."""
        self.source.define("from_item(item)", [*self._values(), f"return {instance(model, self.source)}"])

    def part(self, model: type[BaseModel]) -> None:
        """Generate `from_part` for items that lack fields: the present fields, without validation."""
        make = self.source.use(part_of(model, self.binding.entity.attributes), "partial")
        self.source.define("from_part(item)", [*self._values(is_part=True), f"return {make}(values)"])

    def _values(self, *, is_part: bool = False) -> list[str]:
        """Lines that gather the values of an item."""
        key_prefix = prefix(self.binding.spec.server.generation)
        body = ["values = {}", f"key, value = {self.source.use(values.pair, 'pair')}(item)"]
        return [*body, *self._read_from_key("key", f"key.removeprefix({key_prefix!r})"), *self._value(is_part=is_part)]

    def _read_from_key(self, argument: str, value: str) -> list[str]:
        """Lines that read the fields from the text of a template."""
        template, attributes = self.binding.templates[argument], self.binding.entity.attributes
        key_names = decided_by_key(template, self.binding)
        input_names = {attribute.name: attribute.given for attribute in attributes if attribute.name in key_names}
        read = self.source.use(reader(template, attributes), "read")
        names = self.source.use(input_names, "names")
        return [f"values.update(({names}[n], v) for n, v in {read}({value}).items() if n in {names})"]

    def _value(self, *, is_part: bool) -> list[str]:
        """Lines that read the fields from the value at the key."""
        name, text = value_field(self.binding), self.source.use(values.to_text, "text")
        field = self.binding.entity.attribute(name) if name else None
        match self.kind:
            case "rate limit":
                return []
            case "set" | "hyperloglog":
                return self._read_from_key("member", f"{text}(value)")
            case "sorted set" if field:
                return [*self._read_from_key("member", f"{text}(value[0])"), *self._score(field)]
            case "geo" if field:
                return [*self._read_from_key("member", f"{text}(value[0])"), *self._place(field)]
            case "counter" | "bitmap" if field:
                return [f"values[{field.given!r}] = int(value)"]
            case _ if field:
                return [f"values[{field.given!r}] = {self._text(field.type, 'value')}"]
            case _:
                return self._fields(is_part=is_part)

    def _score(self, field: Attribute) -> list[str]:
        packing = packing_of(self.binding)
        second = self.binding.entity.attribute(packing.field) if packing else None
        places = ", ".join(f"values[{attribute.given!r}]" for attribute in (field, second) if attribute)
        if packing is not None:
            return [f"{places} = {self.source.use(packing.unpack, 'unpack')}(value[1])"]
        kind, precision = (field.type.kind, field.type.precision) if isinstance(field.type, Scalar) else ("", None)
        read: Callable[[Any], Any] = {"datetime": values.from_score, "integer": values.whole_number}.get(kind, float)
        if precision:
            read = values.from_whole_score(precision)
        return [f"{places} = {self.source.use(read, 'score')}(value[1])"]

    def _place(self, field: Attribute) -> list[str]:
        assert isinstance(field.type, Struct)
        input_names = {attribute.name: attribute.given for attribute in field.type.attributes}
        longitude, latitude = input_names["longitude"], input_names["latitude"]
        pairs = f"{longitude!r}: float(value[1][0]), {latitude!r}: float(value[1][1])"
        return [f"values[{field.given!r}] = {{{pairs}}}"]

    def _fields(self, *, is_part: bool) -> list[str]:
        is_json = self.kind not in FIELD_KINDS
        read = self.source.use(values.load if is_json else values.fields, "fields")
        body = [f"stored = {read}(value)"]
        for attribute in stored_attributes(self.binding):
            body += self._attribute(attribute, is_json=is_json, is_part=is_part)
        return body

    def _attribute(self, attribute: Attribute, *, is_json: bool, is_part: bool) -> list[str]:
        """Lines for one field; an absent field gets the model's default, or None if it is nullable."""
        written = self._json(attribute.type, "v") if is_json else self._text(attribute.type, "v")
        lines = [
            f"v = stored.get({attribute.stored!r})",
            "if v is not None:",
            f"    values[{attribute.given!r}] = {written}",
        ]
        takes_null = is_json and isinstance(attribute.type, Scalar) and attribute.type.kind == "json"
        if not attribute.is_nullable and not takes_null:
            return lines
        # JSON contains null for an optional field that is None; a hash has no null and leaves the field out. For a part
        # of a hash, the answer contains all requested fields, with None for the absent ones.
        has_explicit_none = is_part or not attribute.is_nullable or (is_json and not attribute.is_required)
        test = f"elif {attribute.stored!r} in stored:" if has_explicit_none else "else:"
        return [*lines, test, f"    values[{attribute.given!r}] = None"]

    def _text(self, type: Type, value: str) -> str:
        """Python expression that converts a value outside JSON."""
        if isinstance(type, Scalar) and type.kind == "bytes":
            return f"{self.source.use(values.to_bytes, 'bytes')}({value})"
        value = f"{self.source.use(values.to_text, 'text')}({value})"
        if not isinstance(type, Scalar):
            return self._loaded(type, value)
        read = _TEXT.get(type.kind)
        return f"{self.source.use(read, type.kind)}({value})" if read else value

    def _loaded(self, type: Type, value: str) -> str:
        """A call of a generated function, because the expression uses the value several times."""
        name = self.source.fresh("loaded")
        load = self.source.use(values.load, "load")
        self.source.define(f"{name}(t)", [f"v = {load}(t)", f"return {self._json(type, 'v')}"])
        return f"{name}({value})"

    def _json(self, type: Type, value: str, *, nullable: bool = False) -> str:
        """Python expression that converts a value inside JSON."""
        read = self._json_value(type, value)
        return f"(None if {value} is None else {read})" if nullable else read

    def _json_value(self, type: Type, value: str) -> str:
        match type:
            case Scalar():
                if type.kind in _JSON:
                    return f"{self.source.use(_JSON[type.kind], type.kind)}({value})"
                return expected(self.source, type.kind, value) if type.kind in CLASSES else value
            case Many():
                listed = f"{self.source.use(elements, 'elements')}({value})"
                return f"[{self._json(type.element, 'v', nullable=type.has_null_elements)} for v in {listed}]"
            case Tuple():
                return tuples.read(type, value, self.source, lambda element: self._json(element, "v"))
            case Map():
                inner = self._json(type.value, "v", nullable=type.has_null_values)
                return f"{{{map_keys.read(type.key, self.source)}: {inner} for k, v in {value}.items()}}"
            case Union(tag=tag):
                stored = self._json(tag.type, f"v[{tag.stored!r}]")
                return by_class(type, value, stored, self._struct, self.source)
            case Struct():
                return f"{self._struct(type)}({value})"

    def _struct(self, type: Struct) -> str:
        """Name of a generated function that makes the values of an embedded model."""
        name = self.source.fresh(type.name)
        body = [f"{self.source.use(members, 'members')}(item)", "values = {}"]
        for attribute in type.attributes:
            read = self._json(attribute.type, "v", nullable=attribute.is_nullable)
            body += [f"if {attribute.stored!r} in item:", f"    v = item[{attribute.stored!r}]"]
            body.append(f"    values[{attribute.given!r}] = {read}")
        self.source.define(f"{name}(item)", [*body, "return values"])
        return name


def part_of(model: type[BaseModel], attributes: Iterable[Attribute]) -> Callable[[dict[str, Any]], BaseModel]:
    """A function from values to an instance with only these fields."""
    makers = {attribute.given: (attribute.name, maker(model, attribute)) for attribute in attributes}

    def from_values(values: dict[str, Any]) -> BaseModel:
        fields: dict[str, Any] = {}
        for input_name, value in values.items():
            name, make = makers[input_name]
            fields[name] = make(value) if make is not None and value is not None else value
        return unset(model, fields)

    return from_values
