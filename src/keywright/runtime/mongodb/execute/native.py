"""Values of a call in the native form of their fields, and native values back."""

import json
from collections.abc import Callable
from typing import Any

from bson import json_util

from keywright.engines.mongodb.fields import chosen_type
from keywright.engines.mongodb.filters import constant
from keywright.engines.mongodb.typemap import native_type
from keywright.ir.attribute import Many, Scalar, Type
from keywright.ir.binding import Binding
from keywright.ir.entity import element, resolve
from keywright.ir.pattern import Value
from keywright.runtime.source import Source

from ..read import Reader
from ..write import Writer

Convert = Callable[[Any], Any]


class Natives:
    """Converts values of one entity's fields; every conversion is compiled once."""

    def __init__(self, binding: Binding) -> None:
        self.binding = binding

    def whole(self, field: str) -> Convert:
        """A field's value as it stands in documents; None as null."""
        return self._written(self._type(field), field)

    def single(self, field: str) -> Convert:
        """What a condition compares a field with: of a list, one of its elements."""
        kind = self._type(field)
        return self._written(kind.element if isinstance(kind, Many) else kind, field)

    def constant(self, field: str, value: Value) -> Any:
        """A constant of a condition: as it would stand in the filter of an index."""
        kind = element(self._type(field))
        written = constant(value, native_type(kind, chosen_type(self.binding, self._path(field))))
        return json_util.loads(json.dumps(written))

    def back(self, field: str) -> Convert:
        """A native value of a single field as Python's, in plain types."""
        source = Source()
        path = self._path(field)
        text = Reader(self.binding, source).read(element(self._type(field)), "v", path)
        source.define("back(v)", [f"return None if v is None else {text}"])
        return source.compile("back")

    def _written(self, kind: Type, field: str) -> Convert:
        source = Source()
        text = Writer(self.binding, source).native(kind, "v", self._path(field))
        source.define("native(v)", [f"return None if v is None else {text}"])
        return source.compile("native")

    def _path(self, field: str) -> str:
        """The field behind a name: that of a computed attribute that is one field and nothing else."""
        template = self.binding.computed.get(field)
        return template.lone.path if template is not None and template.lone is not None else field

    def _type(self, field: str) -> Type:
        found = resolve(self.binding.entity.attributes, self._path(field))
        return found[-1].type if found else Scalar("string")
