"""Writes the function that makes an instance of a model from a DynamoDB item."""

from collections.abc import Callable
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any
from uuid import UUID

from pydantic import BaseModel

from keywright.engines.dynamodb.keys import field_type
from keywright.engines.dynamodb.typemap import native_type
from keywright.ir.attribute import Attribute, Many, Map, Scalar, Struct, Type
from keywright.ir.binding import Binding
from keywright.runtime.source import Source

from .values import from_epoch, from_seconds, to_bytes, to_json, to_uuid

_READ: dict[tuple[str, str], Callable[[Any], Any]] = {
    ("integer", "N"): int, ("integer", "S"): int, ("float", "N"): float, ("float", "S"): float,
    ("decimal", "N"): Decimal, ("decimal", "S"): Decimal,
    ("datetime", "S"): datetime.fromisoformat, ("datetime", "N"): from_epoch,
    ("date", "S"): date.fromisoformat, ("time", "S"): time.fromisoformat,
    ("duration", "N"): from_seconds, ("duration", "S"): from_seconds,
    ("uuid", "S"): UUID, ("uuid", "B"): to_uuid, ("bytes", "B"): to_bytes,
}  # fmt: skip
"""How the native value of a kind becomes Python's; what is not here is read as it is."""


class Reader:
    """Writes `from_item(item)`."""

    def __init__(self, binding: Binding, source: Source) -> None:
        self.binding, self.source = binding, source

    def instance(self, model: type[BaseModel]) -> None:
        """Write the function: values by the names under which the model takes them, then its validation."""
        body = ["values = {}"]
        for attribute in self.binding.entity.attributes:
            native = field_type(self.binding, attribute.name)
            body += self._attribute(attribute, native)
        validate = self.source.use(model.model_validate, "validate")
        self.source.define("from_item(item)", [*body, f"return {validate}(values)"])

    def _attribute(self, attribute: Attribute, native: str) -> list[str]:
        given = attribute.given
        read = self._read(attribute.type, "v", native)
        lines = [f"v = item.get({attribute.stored!r})", "if v is not None:"]
        if attribute.is_nullable:
            lines.append(f'    values[{given!r}] = None if "NULL" in v else {read}')
        else:
            lines.append(f"    values[{given!r}] = {read}")
        if attribute.is_required and attribute.is_nullable:
            lines += ["else:", f"    values[{given!r}] = None"]
        elif isinstance(attribute.type, Many) and native in ("SS", "NS", "BS"):
            lines += ["else:", f"    values[{given!r}] = ()"]  # an empty set is not stored
        return lines

    def _read(self, type: Type, value: str, native: str) -> str:
        """Python text of a native value, `{"S": ...}`, as Python's."""
        match type:
            case Scalar(kind="json"):
                return f"{self.source.use(to_json, 'to_json')}({value})"
            case Scalar():
                return self._scalar(type, f'{value}["{native}"]', native)
            case Many() if native == "L":
                inner = self._inner(type.element, type.has_null_elements)
                return f'[{inner} for v in {value}["L"]]'
            case Many(element=Scalar() as element):
                return f'[{self._scalar(element, "v", native[0])} for v in {value}["{native}"]]'
            case Map():
                inner = self._inner(type.value, type.has_null_values)
                return f'{{k: {inner} for k, v in {value}["M"].items()}}'
            case Struct():
                return f'{self._struct(type)}({value}["M"])'
        raise AssertionError(type)

    def _scalar(self, type: Scalar, value: str, native: str) -> str:
        read = _READ.get((type.kind, native))
        return f"{self.source.use(read, type.kind)}({value})" if read else value

    def _inner(self, type: Type, nullable: bool) -> str:
        read = self._read(type, "v", native_type(type))
        return f'(None if "NULL" in v else {read})' if nullable else read

    def _struct(self, type: Struct) -> str:
        """Name of a function that makes the values of an embedded model."""
        name = self.source.fresh(type.name)
        body = ["values = {}"]
        for attribute in type.attributes:
            body += self._attribute(attribute, native_type(attribute.type))
        self.source.define(f"{name}(item)", [*body, "return values"])
        return name
