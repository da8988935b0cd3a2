"""Converts values of a call to the native types of their fields, and native values back."""

import json
from collections.abc import Callable
from typing import Any

from bson import json_util

from keywright.engines.mongodb.declare.options import AnyCollection
from keywright.engines.mongodb.schema.fields import chosen_type
from keywright.engines.mongodb.schema.filters import constant
from keywright.engines.mongodb.schema.typemap import native_type
from keywright.ir.attribute import Many, Scalar, Type
from keywright.ir.binding import Binding
from keywright.ir.entity import element, resolve
from keywright.ir.json import Json
from keywright.ir.pattern import Value
from keywright.runtime.function_source import FunctionSource

from ..read import Reader
from ..write import Writer

Convert = Callable[[Any], Any]


class Natives:
    """Converts values of one entity's fields; every conversion is compiled once."""

    def __init__(self, binding: Binding[AnyCollection]) -> None:
        self.binding = binding

    def stored(self, field: str) -> Convert:
        """A field's value as stored in documents; None as null."""
        return self._written(self._type(field), field)

    def single(self, field: str) -> Convert:
        """The value that a condition compares a field with: for a list, one of its elements."""
        kind = self._type(field)
        return self._written(kind.element if isinstance(kind, Many) else kind, field)

    def constant(self, field: str, value: Value) -> Any:
        """A constant of a condition, as in the filter of an index."""
        kind = element(self._type(field))
        return self.extended(constant(value, native_type(kind, chosen_type(self.binding, self._path(field)))))

    def extended(self, value: Json) -> Any:
        """The native value of Extended JSON."""
        return json_util.loads(json.dumps(value))

    def back(self, field: str) -> Convert:
        """A native value of a single field as plain Python."""
        source = FunctionSource()
        path = self._path(field)
        expression = Reader(self.binding, source).read(element(self._type(field)), "v", path)
        source.define("back(v)", [f"return None if v is None else {expression}"])
        return source.compile("back")

    def _written(self, kind: Type, field: str) -> Convert:
        source = FunctionSource()
        expression = Writer(self.binding, source).native(kind, "v", self._path(field))
        source.define("native(v)", [f"return None if v is None else {expression}"])
        return source.compile("native")

    def _path(self, field: str) -> str:
        """The path of a field; for a computed attribute of a single field, that field's path."""
        template = self.binding.computed.get(field)
        return template.lone.path if template is not None and template.lone is not None else field

    def _type(self, field: str) -> Type:
        attributes = resolve(self.binding.entity.attributes, self._path(field))
        return attributes[-1].type if attributes else Scalar("string")
