"""Limits of Cassandra's types for values of a field, beyond those of the model."""

from datetime import timedelta
from ipaddress import ip_address
from math import isfinite
from typing import Any
from uuid import UUID

from keywright.engines.cassandra.declare.options import CqlTable
from keywright.engines.cassandra.schema.capabilities import KEY_BYTES, VECTOR_COMPONENT
from keywright.engines.cassandra.schema.columns import columns_of, field_type
from keywright.engines.cassandra.schema.typemap import element_type, native_type
from keywright.ir.attribute import Many, Map, Scalar
from keywright.ir.binding import Binding
from keywright.ir.text import counted
from keywright.runtime.validate.limits import Check, StoreLimit, json_value

from .values import to_single

_BITS = {"tinyint": 8, "smallint": 16, "int": 32, "bigint": 64, "counter": 64}
_MAX_FLOAT = 3.4028234663852886e38
"""The largest float of 32 bits. Source: IEEE 754, binary32."""
_MAX_DURATION = timedelta(microseconds=2**63 - 1)


def limit_of(binding: Binding[CqlTable], path: str, kind: Scalar | Map | Many) -> StoreLimit | None:
    """See `runtime.limits.LimitOf`."""
    if isinstance(kind, Many):
        return _limit_of_vector(binding, path)
    if isinstance(kind, Map):
        return limit_of(binding, f"{path}.", kind.key)
    attribute = binding.entity.attribute(path)
    is_top_level = attribute is not None and attribute.type is kind
    native = field_type(binding, attribute) if attribute is not None and is_top_level else native_type(kind)
    if attribute is not None and isinstance(attribute.type, Many) and attribute.type.element is kind:
        native = element_type(attribute.type)
    if kind.kind == "integer" and (bits := _BITS.get(native)) is not None:
        return StoreLimit(-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
    check = _CHECKS.get((kind.kind, native))
    if kind.kind in ("string", "bytes") and is_top_level and _is_key(binding, path):
        check = _both(check, _key_size) if check else _key_size
    return StoreLimit(check=check) if check else None


def _limit_of_vector(binding: Binding[CqlTable], path: str) -> StoreLimit | None:
    """The limit of an indexed vector: the server fails on other vectors, without a reason that reaches the client."""
    indexes = [index for index in binding.spec.indexes if index.on == path and index.using == "sai"]
    has_angle = any(index.similarity_function == "cosine" for index in indexes)
    return StoreLimit(check=_both(_component, _angle) if has_angle else _component) if indexes else None


def _component(value: Any) -> str | None:
    is_in = all(abs(number) <= VECTOR_COMPONENT.value for number in value)  # NaN is not
    return None if is_in else f"the numbers of an indexed vector are finite, and at most {VECTOR_COMPONENT.value:,}"


def _angle(value: Any) -> str | None:
    """The problem of a vector whose length is zero in 32 bits, so that the server rejects it, or computes no angle."""
    is_zero = not to_single(sum(number * number for number in value))
    return "a vector of zeros has no angle, by which its index finds vectors" if is_zero else None


def _is_key(binding: Binding[CqlTable], path: str) -> bool:
    """Whether a field is a key column by itself, and its values may exceed the limit of keys."""
    column = next(
        (column for column in columns_of(binding) if column.attribute and column.attribute.name == path),
        None,
    )
    if column is None or column.role not in ("partition", "clustering"):
        return False
    kind = column.attribute.type if column.attribute else None
    return not isinstance(kind, Scalar) or kind.max_length is None or 4 * kind.max_length > KEY_BYTES.value


def _key_size(value: Any) -> str | None:
    size = len(value.encode()) if isinstance(value, str) else len(value)
    return None if size <= KEY_BYTES.value else f"a key column has up to {counted(KEY_BYTES.value, 'byte', spec=',')}"


def _both(first: Check, second: Check) -> Check:
    return lambda value: first(value) or second(value)


def _float(value: float) -> str | None:
    fits = not isfinite(value) or abs(value) <= _MAX_FLOAT
    return None if fits else f"a float of 32 bits is {_MAX_FLOAT} at most"


def _finite(value: float) -> str | None:
    return None if isfinite(value) else "a decimal is a finite number"


def _ascii(value: str) -> str | None:
    return None if value.isascii() else "the column allows only ASCII characters"


def _inet(value: str) -> str | None:
    try:
        ip_address(value)
    except ValueError:
        return "an inet is an IPv4 or IPv6 address"
    return None


def _uuid(value: str) -> str | None:
    try:
        UUID(value)
    except ValueError:
        return "it must be the text of a UUID"
    return None


def _timeuuid(value: UUID) -> str | None:
    return None if value.version == 1 else "a timeuuid is a UUID of version 1"


def _text_timeuuid(value: str) -> str | None:
    return _uuid(value) or _timeuuid(UUID(value))


def _duration(value: timedelta) -> str | None:
    return None if -_MAX_DURATION <= value <= _MAX_DURATION else "a duration has up to 64 bits of microseconds"


_CHECKS: dict[tuple[str, str], Check] = {
    ("float", "float"): _float,
    ("float", "decimal"): _finite,
    ("string", "ascii"): _ascii,
    ("string", "inet"): _inet,
    ("string", "uuid"): _uuid,
    ("string", "timeuuid"): _text_timeuuid,
    ("uuid", "timeuuid"): _timeuuid,
    ("duration", "bigint"): _duration,
    ("json", "text"): json_value(),
}
