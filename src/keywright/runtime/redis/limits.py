"""Limits of Redis' structures on a field, in addition to the model's."""

from math import isfinite, isnan
from typing import Any

from keywright.engines.redis.declare.options import (
    RedisBitmap,
    RedisCounter,
    RedisGeo,
    RedisJson,
    RedisSortedSet,
    Structure,
)
from keywright.engines.redis.schema.capabilities import BITMAP_BITS, GEO_LATITUDE, SCORE_WHOLE
from keywright.engines.redis.schema.search_index import place_of
from keywright.ir.attribute import Many, Map, Scalar
from keywright.ir.binding import Binding
from keywright.ir.text import counted
from keywright.runtime.validate.limits import Check, StoreLimit, json_value


def limit_of(binding: Binding[Structure], path: str, kind: Scalar | Map | Many) -> StoreLimit | None:
    """See `runtime.limits.LimitOf`."""
    if isinstance(kind, (Map, Many)):
        return None
    if kind.kind == "integer" and path in _numbers(binding):
        return _SCORES["integer"]
    if path.rpartition(".")[0] in _places(binding):
        return StoreLimit(check=_degrees(180 if path.endswith("longitude") else GEO_LATITUDE))
    match binding.spec:
        case RedisSortedSet(score=score) if path == score:
            return _SCORES.get(kind.kind)
        case RedisBitmap(bit=bit) if path == bit:
            return StoreLimit(0, BITMAP_BITS.value - 1)
        case RedisCounter(value=value) if path == value:
            return StoreLimit(-(2**63), 2**63 - 1)
        case RedisGeo(place=place) if path == f"{place}.longitude":
            return StoreLimit(check=_degrees(180))
        case RedisGeo(place=place) if path == f"{place}.latitude":
            return StoreLimit(check=_degrees(GEO_LATITUDE))
    if isinstance(binding.spec, RedisJson) and binding.entity.attribute(path.partition(".")[0]) is not None:
        return _DOCUMENT.get(kind.kind)
    return StoreLimit(check=_JSON) if kind.kind == "json" else None


def _numbers(binding: Binding[Structure]) -> set[str]:
    """Fields that an index of Search contains as numbers, which are doubles."""
    indexes = getattr(binding.spec, "indexes", ())
    return {field.field for index in indexes for field in index.fields if field.kind == "numeric"}


def _places(binding: Binding[Structure]) -> set[str]:
    """Places that an index of Search contains; it contains no item at all with degrees beyond the server's limits."""
    indexes = getattr(binding.spec, "indexes", ())
    places = (place_of(field, binding) for index in indexes for field in index.fields if field.kind == "geo")
    return {place for place in places if place}


def _score(value: float) -> str | None:
    return "a score is a number" if isnan(value) else None


def _degrees(bound: float) -> Check:
    def wrong(value: Any) -> str | None:
        return None if -bound <= value <= bound else f"from -{bound} to {counted(bound, 'degree')} can be stored"

    return wrong


def _finite(value: float) -> str | None:
    return None if isfinite(value) else "JSON allows only finite numbers"


_JSON = json_value()
_DOCUMENT = {
    "integer": StoreLimit(-(2**63), 2**63 - 1), "float": StoreLimit(check=_finite), "json": StoreLimit(check=_JSON),
}  # fmt: skip
"""Values in a JSON document: the server makes floats of larger whole numbers. Source: measured on Redis Stack 7.4.1."""
_SCORES = {"integer": StoreLimit(-SCORE_WHOLE.value, SCORE_WHOLE.value), "float": StoreLimit(check=_score)}
