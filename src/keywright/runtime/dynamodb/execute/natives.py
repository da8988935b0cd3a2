"""Native forms of single values: functions from a Python value to a native one, by field, prepared once."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any, TypeAlias

from keywright.engines.dynamodb.declare.options import Item
from keywright.engines.dynamodb.schema.keys import field_type, is_expiry, kept_field
from keywright.engines.dynamodb.schema.typemap import native_type
from keywright.ir.attribute import Many, Map, Scalar
from keywright.ir.binding import Binding
from keywright.ir.entity import resolve
from keywright.runtime.function_source import FunctionSource
from keywright.runtime.items import text as forms

from ..native import NativeValues
from ..values import number, reader, to_bytes

ToNative: TypeAlias = dict[str, Any]
"""Value in the form of the low-level client, such as `{"S": "x"}`."""

WriteValue: TypeAlias = Callable[[Any], ToNative]
"""Function from a value other than None to its native value."""


def writer_of(binding: Binding[Item], path: str, native: str | None = None) -> WriteValue:
    """Function that writes values of a field or computed attribute; native: overrides the field's own type."""
    if path in binding.computed:
        field = kept_field(binding, binding.computed[path])
        return writer_of(binding, field, native) if field else written_text
    attributes = resolve(binding.entity.attributes, path)
    assert attributes is not None
    source = FunctionSource()
    text = NativeValues(binding, source).native(attributes[-1].type, "v", native or field_type(binding, path), path)
    source.define("write(v)", [f"return {text}"])
    return source.compile("write")


def element_of(binding: Binding[Item], path: str) -> WriteValue:
    """Function that writes one element of a list or set field."""
    attributes = resolve(binding.entity.attributes, path)
    kind = attributes[-1].type if attributes else None
    assert isinstance(kind, Many)
    native = field_type(binding, path)
    inner = native[0] if native in ("SS", "NS", "BS") else native_type(kind.element)
    source = FunctionSource()
    text = NativeValues(binding, source).native(kind.element, "v", inner, path)
    source.define("write(v)", [f"return {text}"])
    return source.compile("write")


def reader_of(binding: Binding[Item], path: str) -> Callable[[ToNative], Any]:
    """Function that reads a number."""
    attributes = resolve(binding.entity.attributes, path)
    kind = attributes[-1].type if attributes else None
    assert kind is not None
    assert not isinstance(kind, (Many, Map))
    read = (reader(kind, "N") if isinstance(kind, Scalar) else None) or Decimal
    return lambda native: read(native["N"])


def written_text(value: Any) -> ToNative:
    """Value as the text that a template writes for it."""
    return {"S": forms.text(value)}


def written_number(value: Any) -> ToNative:
    """Native number of any field."""
    return {"N": number(value)}


def expires(binding: Binding[Item], path: str) -> bool:
    """Whether a field is stored in whole seconds, rounded up, because it is the expiry time."""
    return is_expiry(binding, path)


def ordered(native: ToNative) -> Any:
    """Sort key of native values of one type, as in the service: text by its UTF-8 bytes, which is the order of its
    characters; numbers; bytes."""
    ((kind, value),) = native.items()
    if kind == "N":
        return Decimal(value)
    return to_bytes(value) if kind == "B" else value
