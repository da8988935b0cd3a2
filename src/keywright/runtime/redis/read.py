"""Writes the function that makes an instance of a model from what Redis holds."""

from collections.abc import Callable
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any
from uuid import UUID

from pydantic import BaseModel

from keywright.engines.redis.layout import FIELD_KINDS, kind_of, server_of, stored_attributes, told_by, value_field
from keywright.engines.redis.place import prefix
from keywright.ir.attribute import Attribute, Many, Map, Scalar, Struct, Type
from keywright.ir.binding import Binding
from keywright.runtime.instance import instance
from keywright.runtime.source import Source
from keywright.runtime.templates import reader

from . import values
from .part import part_of

_JSON: dict[str, Callable[[Any], Any]] = {
    "decimal": Decimal, "datetime": datetime.fromisoformat, "date": date.fromisoformat, "time": time.fromisoformat,
    "uuid": UUID, "duration": values.to_duration, "bytes": values.from_base64,
}  # fmt: skip
"""How a JSON value becomes Python's; what is not here is read as it is."""

_TEXT = _JSON | {"integer": int, "float": float, "boolean": values.to_flag, "json": values.load}
"""How a text becomes Python's."""


class Reader:
    """Writes `from_item(item)` and `from_part(item)`."""

    def __init__(self, binding: Binding, source: Source) -> None:
        self.binding, self.source = binding, source
        self.kind = kind_of(binding)

    def instance(self, model: type[BaseModel]) -> None:
        """Write the function: values by the names under which the model takes them, then its validation."""
        self.source.define("from_item(item)", [*self._values(), f"return {instance(model, self.source)}"])

    def part(self, model: type[BaseModel]) -> None:
        """Write the function for items that lack fields: those that are there, without validation."""
        make = self.source.use(part_of(model, self.binding.entity.attributes), "partial")
        self.source.define("from_part(item)", [*self._values(is_part=True), f"return {make}(values)"])

    def _values(self, *, is_part: bool = False) -> list[str]:
        """Lines that gather the values of an item."""
        begins = prefix(server_of(self.binding).generation)
        body = ["values = {}", f"key, value = {self.source.use(values.pair, 'pair')}(item)"]
        return [*body, *self._told("key", f"key.removeprefix({begins!r})"), *self._value(is_part=is_part)]

    def _told(self, argument: str, value: str) -> list[str]:
        """Lines that take the fields out of the text that a template wrote."""
        template, attributes = self.binding.templates[argument], self.binding.entity.attributes
        told = told_by(template, self.binding)
        given = {one.name: one.given for one in attributes if one.name in told}
        read = self.source.use(reader(template, attributes), "read")
        names = self.source.use(given, "names")
        return [f"values.update(({names}[n], v) for n, v in {read}({value}).items() if n in {names})"]

    def _value(self, *, is_part: bool) -> list[str]:
        """Lines that take the fields out of what stands at the key."""
        name, text = value_field(self.binding), self.source.use(values.to_text, "text")
        field = self.binding.entity.attribute(name) if name else None
        match self.kind:
            case "rate limit":
                return []
            case "set" | "hyperloglog":
                return self._told("member", f"{text}(value)")
            case "sorted set" if field:
                return [*self._told("member", f"{text}(value[0])"), *self._score(field)]
            case "geo" if field:
                return [*self._told("member", f"{text}(value[0])"), *self._place(field)]
            case "counter" | "bitmap" if field:
                return [f"values[{field.given!r}] = int(value)"]
            case _ if field:
                return [f"values[{field.given!r}] = {self._text(field.type, 'value')}"]
            case _:
                return self._fields(is_part=is_part)

    def _score(self, field: Attribute) -> list[str]:
        kind = field.type.kind if isinstance(field.type, Scalar) else ""
        read = {"datetime": values.from_score, "integer": values.whole}.get(kind, float)
        return [f"values[{field.given!r}] = {self.source.use(read, 'score')}(value[1])"]

    def _place(self, field: Attribute) -> list[str]:
        assert isinstance(field.type, Struct)
        given = {one.name: one.given for one in field.type.attributes}
        longitude, latitude = given["longitude"], given["latitude"]
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
        """Lines for one field: what is absent has the model's default, or is None where None may be."""
        written = self._json(attribute.type, "v") if is_json else self._text(attribute.type, "v")
        found = [
            f"v = stored.get({attribute.stored!r})",
            "if v is not None:",
            f"    values[{attribute.given!r}] = {written}",
        ]
        if not attribute.is_nullable:
            return found
        # In JSON an optional field that holds None says so; a hash has no such sign and leaves the field out. Of a part
        # of a hash, the client says which fields were asked for: they are there, with None.
        is_told = is_part or (is_json and not attribute.is_required)
        test = f"elif {attribute.stored!r} in stored:" if is_told else "else:"
        return [*found, test, f"    values[{attribute.given!r}] = None"]

    def _text(self, type: Type, value: str) -> str:
        """Python text of a value that stands by itself, as Python's."""
        if isinstance(type, Scalar) and type.kind == "bytes":
            return f"{self.source.use(values.to_bytes, 'bytes')}({value})"
        value = f"{self.source.use(values.to_text, 'text')}({value})"
        if not isinstance(type, Scalar):
            return self._loaded(type, value)
        read = _TEXT.get(type.kind)
        return f"{self.source.use(read, type.kind)}({value})" if read else value

    def _loaded(self, type: Type, value: str) -> str:
        """A function of its own, as the value is used several times."""
        name = self.source.fresh("loaded")
        load = self.source.use(values.load, "load")
        self.source.define(f"{name}(t)", [f"v = {load}(t)", f"return {self._json(type, 'v')}"])
        return f"{name}({value})"

    def _json(self, type: Type, value: str, *, nullable: bool = False) -> str:
        """Python text of a value that JSON held, as Python's."""
        read = self._json_value(type, value)
        return f"(None if {value} is None else {read})" if nullable else read

    def _json_value(self, type: Type, value: str) -> str:
        match type:
            case Scalar():
                read = _JSON.get(type.kind)
                return f"{self.source.use(read, type.kind)}({value})" if read else value
            case Many():
                return f"[{self._json(type.element, 'v', nullable=type.has_null_elements)} for v in {value}]"
            case Map():
                return (
                    f"{{k: {self._json(type.value, 'v', nullable=type.has_null_values)} for k, v in {value}.items()}}"
                )
            case Struct():
                return f"{self._struct(type)}({value})"

    def _struct(self, type: Struct) -> str:
        """Name of a function that makes the values of an embedded model."""
        name = self.source.fresh(type.name)
        body = ["values = {}"]
        for attribute in type.attributes:
            read = self._json(attribute.type, "v", nullable=attribute.is_nullable)
            body += [f"if {attribute.stored!r} in item:", f"    v = item[{attribute.stored!r}]"]
            body.append(f"    values[{attribute.given!r}] = {read}")
        self.source.define(f"{name}(item)", [*body, "return values"])
        return name
