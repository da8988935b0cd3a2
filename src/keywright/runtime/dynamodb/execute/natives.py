"""Single values as DynamoDB's: functions from a Python value to a native one, by field, made once."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any, TypeAlias

from keywright.engines.dynamodb.keys import field_type, is_expiry, kept_field
from keywright.engines.dynamodb.typemap import native_type
from keywright.ir.attribute import Many, Map
from keywright.ir.binding import Binding
from keywright.ir.entity import resolve
from keywright.runtime import text as forms
from keywright.runtime.source import Source

from ..native import NativeValues
from ..values import READ, number, to_bytes

Native: TypeAlias = dict[str, Any]
"""A value in the form of the low-level client, such as `{"S": "x"}`."""

WriteValue: TypeAlias = Callable[[Any], Native]
"""Makes a native value of one that is not None."""


def writer_of(binding: Binding, path: str, native: str | None = None) -> WriteValue:
    """How values of a field, or of a computed attribute, are written; native: in place of the field's own type."""
    if path in binding.computed:
        kept = kept_field(binding, binding.computed[path])
        return writer_of(binding, kept, native) if kept else written_text
    found = resolve(binding.entity.attributes, path)
    assert found is not None
    source = Source()
    text = NativeValues(binding, source).native(found[-1].type, "v", native or field_type(binding, path), path)
    source.define("write(v)", [f"return {text}"])
    return source.compile("write")


def element_of(binding: Binding, path: str) -> WriteValue:
    """How one element of a list or set field is written."""
    found = resolve(binding.entity.attributes, path)
    kind = found[-1].type if found else None
    assert isinstance(kind, Many)
    native = field_type(binding, path)
    inner = native[0] if native in ("SS", "NS", "BS") else native_type(kind.element)
    source = Source()
    text = NativeValues(binding, source).native(kind.element, "v", inner, path)
    source.define("write(v)", [f"return {text}"])
    return source.compile("write")


def reader_of(binding: Binding, path: str) -> Callable[[Native], Any]:
    """How a number is read."""
    found = resolve(binding.entity.attributes, path)
    kind = found[-1].type if found else None
    assert kind is not None
    assert not isinstance(kind, (Many, Map))
    read = READ.get((getattr(kind, "kind", ""), "N"), Decimal)
    return lambda native: read(native["N"])


def written_text(value: Any) -> Native:
    """A value as the text that a template writes for it."""
    return {"S": forms.text(value)}


def written_number(value: Any) -> Native:
    """A number, whatever field it is for."""
    return {"N": number(value)}


def expires(binding: Binding, path: str) -> bool:
    """Whether a field is kept in whole seconds, rounded up, since items expire by it."""
    return is_expiry(binding, path)


def ordered(native: Native) -> Any:
    """What native values of one type are compared by, as the service does: text by its UTF-8 bytes, which is by its
    characters; numbers; bytes."""
    ((kind, value),) = native.items()
    if kind == "N":
        return Decimal(value)
    return to_bytes(value) if kind == "B" else value
