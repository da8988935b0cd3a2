"""Generates the functions that make Redis keys and items from a model."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from keywright.declare.store import VERSION
from keywright.engines.redis.declare.options import Structure
from keywright.engines.redis.schema.item import GeoMember, RedisItem, Scored
from keywright.engines.redis.schema.layout import (
    FIELD_KINDS,
    kind_of,
    stored_attributes,
    value_field,
)
from keywright.engines.redis.schema.lower import structure_target
from keywright.engines.redis.schema.packed_score import packing_of
from keywright.engines.redis.schema.place import prefix
from keywright.ir.attribute import Attribute, Many, Map, Scalar, Struct, Tuple, Type, Union
from keywright.ir.binding import Binding
from keywright.runtime.function_source import FunctionSource
from keywright.runtime.items import map_keys, tuples
from keywright.runtime.items import text as forms
from keywright.runtime.items.expressions import by_class, tag_of
from keywright.runtime.items.templates import expression, value_of

from . import values

_TEXT: dict[str, Callable[[Any], Any]] = {
    "integer": str, "float": values.real, "decimal": str, "boolean": values.flag, "datetime": forms.iso, "uuid": str,
    "duration": forms.seconds, "json": values.dump,
}  # fmt: skip
"""Functions that make text from each kind; text and bytes are unchanged, dates and times are ISO."""

_JSON: dict[str, Callable[[Any], Any]] = {
    "float": float, "decimal": str, "datetime": forms.iso, "uuid": str, "duration": forms.seconds,
    "bytes": values.base64,
}  # fmt: skip
"""Functions that make a JSON value from each kind that JSON lacks."""


class Writer:
    """Generates the functions that make keys and items."""

    def __init__(self, binding: Binding[Structure], source: FunctionSource) -> None:
        self.binding, self.source = binding, source
        self.attributes, self.kind = binding.entity.attributes, kind_of(binding)

    def key(self) -> None:
        """Generate `key_of(m)`."""
        key_prefix = prefix(self.binding.spec.server.generation)
        written = self._template("key")
        self.source.define("key_of(m)", [f"return {key_prefix!r} + {written}" if key_prefix else f"return {written}"])

    def items(self) -> None:
        """Generate `to_items(m)`."""
        item = self.source.use(RedisItem, "Item")
        structure = self.source.use(structure_target(self.binding), "structure")
        due = self._due()
        body = [*self._value(), *self._expiry(), f"return [{item}({structure}, key_of(m), value, expires_at{due})]"]
        self.source.define("to_items(m)", body)

    def fields(self) -> None:
        """Generate `text_of_<field>(value)` for each field of a hash, or for the value of a string."""
        value_name = value_field(self.binding)
        for attribute in self.attributes:
            if attribute.name == value_name or attribute in stored_attributes(self.binding):
                self.source.define(f"text_of_{attribute.name}(v)", [f"return {self._text(attribute.type, 'v')}"])

    def text(self, type: Type) -> str:
        """Generate a function from a value to its text outside JSON; returns its name."""
        name = self.source.fresh("text")
        self.source.define(f"{name}(v)", [f"return {self._text(type, 'v')}"])
        return name

    def json(self, type: Type, *, nullable: bool = False) -> str:
        """Generate a function from a value to its JSON text; returns its name."""
        name = self.source.fresh("json")
        self.source.define(f"{name}(v)", [f"return {self._dump()}({self._json(type, 'v', nullable=nullable)})"])
        return name

    def _template(self, argument: str) -> str:
        return expression(self.binding.templates[argument], self.binding, "m", self.source)

    def _value(self) -> list[str]:
        """Lines that set `value`."""
        name = value_field(self.binding)
        field = self.binding.entity.attribute(name) if name else None
        match self.kind:
            case "rate limit":
                return ["value = None"]
            case "set" | "hyperloglog":
                return [f"value = {self._template('member')}"]
            case "sorted set" if field:
                scored = self.source.use(Scored, "Scored")
                return [f"value = {scored}({self._template('member')}, {self._score(field)})"]
            case "geo" if field:
                place, point = self.source.use(GeoMember, "Place"), value_of(field.name, "m")
                return [f"value = {place}({self._template('member')}, {point}.longitude, {point}.latitude)"]
            case "counter" | "bitmap" if field:
                return [f"value = {value_of(field.name, 'm')}"]
            case _ if field:
                return [f"value = {self._text(field.type, value_of(field.name, 'm'))}"]
            case _:
                return self._fields()

    def _score(self, field: Attribute) -> str:
        value = value_of(field.name, "m")
        if (packing := packing_of(self.binding)) is not None:
            return f"float({self.source.use(packing.pack, 'pack')}({value}, {value_of(packing.field, 'm')}))"
        if isinstance(field.type, Scalar) and field.type.kind == "datetime":
            precision = field.type.precision
            score = values.whole_score(precision) if precision else values.score
            return f"{self.source.use(score, 'score')}({value})"
        return f"float({value})"

    def _fields(self) -> list[str]:
        """Lines that collect the stored fields, separately or as one JSON text."""
        is_json = self.kind not in FIELD_KINDS
        body = ["value = {}"]
        for attribute in stored_attributes(self.binding):
            value = value_of(attribute.name, "m")
            written = self._json(attribute.type, value) if is_json else self._text(attribute.type, value)
            line = f"value[{attribute.stored!r}] = {written}"
            absent = [f"    value[{attribute.stored!r}] = None"] if is_json and not attribute.is_required else []
            nullable = [f"if {value} is not None:", f"    {line}", *(["else:", *absent] if absent else [])]
            body += nullable if attribute.is_nullable else [line]
        for name, template in self.binding.computed.items():
            body.append(f"value[{name!r}] = {expression(template, self.binding, 'm', self.source)}")
        if (version := self.binding.spec.schema_version) > 1:
            body.append(f"value[{VERSION!r}] = {version if is_json else str(version)!r}")
        is_text = is_json and self.kind != "json"  # a document stays a mapping, so that the order of names is no part
        return [*body, f"value = {self.source.use(values.dump, 'dump')}(value)"] if is_text else body

    def _expiry(self) -> list[str]:
        """Lines that set `expires_at`."""
        field = self.binding.entity.ttl
        if field is None:
            return ["expires_at = None"]
        after = self.source.use(timedelta(seconds=field.ttl_after_seconds or 0), "after")
        value = value_of(field.name, "m")
        moment = f"{self.source.use(values.epoch, 'epoch')}({value} + {after})"
        return [
            f"expires_at = None if {value} is None else {moment}" if field.is_nullable else f"expires_at = {moment}"
        ]

    def _due(self) -> str:
        """The last argument of an item: the time until which an entry waits; empty if there is none."""
        name = getattr(self.binding.spec, "due", None)
        field = self.binding.entity.attribute(name) if name else None
        if field is None:
            return ""
        value = value_of(field.name, "m")
        moment = f"{self.source.use(values.score, 'score')}({value})"
        return f", None if {value} is None else {moment}" if field.is_nullable else f", {moment}"

    def _text(self, type: Type, value: str) -> str:
        """Python expression for the stored text of a value."""
        if not isinstance(type, Scalar):
            return f"{self.source.use(values.dump, 'dump')}({self._json(type, value)})"
        value = self._plain(type, value)
        if type.kind in ("date", "time"):
            return f"{value}.isoformat()"
        if type.kind == "string":
            return f"str({value})" if type.is_converted else value
        form = forms.ISO[type.precision] if type.precision else _TEXT.get(type.kind)
        return f"{self.source.use(form, type.kind)}({value})" if form else value

    def _json(self, type: Type, value: str, *, nullable: bool = False) -> str:
        """Python expression for the JSON form of a value."""
        written = self._json_value(type, value)
        return f"(None if {value} is None else {written})" if nullable else written

    def _json_value(self, type: Type, value: str) -> str:
        match type:
            case Scalar():
                return self._json_scalar(type, value)
            case Many():
                element = self._json(type.element, "v", nullable=type.has_null_elements)
                listed = f"{element} for v in {value}"
                if type.kind != "set" or type.has_null_elements:
                    return f"[{listed}]"
                has_order = isinstance(type.element, Scalar) and type.element.kind != "json"
                return f"sorted({listed})" if has_order else f"sorted([{listed}], key={self._dump()})"
            case Tuple():
                return tuples.written(type, value, self.source, lambda element: self._json(element, "v"))
            case Map():
                inner = self._json(type.value, "v", nullable=type.has_null_values)
                return f"{{{map_keys.written(type.key, self.source)}: {inner} for k, v in {value}.items()}}"
            case Union():
                return by_class(type, value, tag_of(type, self.source), self._struct, self.source)
            case Struct():
                return f"{self._struct(type)}({value})"

    def _dump(self) -> str:
        return self.source.use(values.dump, "dump")

    def _json_scalar(self, type: Scalar, value: str) -> str:
        value = self._plain(type, value)
        if type.kind in ("date", "time"):
            return f"{value}.isoformat()"
        if type.is_converted:
            return f"str({value})"
        form = forms.ISO[type.precision] if type.precision else _JSON.get(type.kind)
        return f"{self.source.use(form, type.kind)}({value})" if form else value

    def _plain(self, type: Scalar, value: str) -> str:
        return f"{self.source.use(forms.plain, 'plain')}({value})" if type.constants else value

    def _struct(self, type: Struct) -> str:
        """Name of a generated function that makes the JSON object of an embedded model."""
        name = self.source.fresh(type.name)
        pairs = (
            f"{attribute.stored!r}: "
            f"{self._json(attribute.type, value_of(attribute.name, 'e'), nullable=attribute.is_nullable)}"
            for attribute in type.attributes
        )
        self.source.define(f"{name}(e)", [f"return {{{', '.join(pairs)}}}"])
        return name
