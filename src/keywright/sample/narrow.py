"""What the stores of an entity demand of its values beyond their types: narrower bounds, written into the entity."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import timedelta

from keywright.ir.attribute import Attribute, Many, Scalar, Struct, Type
from keywright.ir.binding import Binding
from keywright.ir.entity import Entity

_HEX = "[0-9a-f]"
_FORMS = {
    "timeuuid": f"^{_HEX}{{8}}-{_HEX}{{4}}-1{_HEX}{{3}}-[89ab]{_HEX}{{3}}-{_HEX}{{12}}$",
    "uuid": f"^{_HEX}{{8}}-{_HEX}{{4}}-4{_HEX}{{3}}-[89ab]{_HEX}{{3}}-{_HEX}{{12}}$",
    "objectId": f"^{_HEX}{{24}}$",
    "inet": r"^192\.0\.2\.(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])$",
}
"""The text that a native type takes, by its name."""
_BITS = {"tinyint": 8, "smallint": 16, "int": 32}


@dataclass(frozen=True, slots=True)
class _Demands:
    """What one binding demands, by path of the field."""

    digits: Mapping[str, int]
    """The digits that templates leave a number."""
    types: Mapping[str, str]
    """Native types."""
    lifetimes: Mapping[str, int]
    """Seconds that a time series keeps a measurement after the time in this field."""
    places: frozenset[str]
    """Fields that hold a place on the globe."""


def narrowed(entity: Entity, bindings: Iterable[Binding]) -> Entity:
    """The entity with what its bindings demand: numbers that fit their padding, texts and numbers of native types."""
    for binding in bindings:
        entity = replace(entity, attributes=_attributes(entity.attributes, "", _demands(binding)))
    return entity


def _demands(binding: Binding) -> _Demands:
    spec = binding.spec
    time, ttl = getattr(spec, "time", None), getattr(spec, "ttl", None)
    indexes = [index for index in getattr(spec, "indexes", ()) if type(index).__name__ == "GeoIndex"]
    return _Demands(
        _digits(binding),
        getattr(spec, "types", {}),
        {time: int(ttl.total_seconds())} if isinstance(time, str) and isinstance(ttl, timedelta) else {},
        frozenset(index.on for index in indexes),
    )


def _digits(binding: Binding) -> dict[str, int]:
    found: dict[str, int] = {}
    for template in binding.templates.values():
        for placeholder in template.placeholders:
            for filter in placeholder.filters:
                if filter.name == "pad" and filter.number:
                    found[placeholder.path] = min(filter.number, found.get(placeholder.path, filter.number))
    return found


def _attributes(attributes: tuple[Attribute, ...], path: str, demands: _Demands) -> tuple[Attribute, ...]:
    def one(attribute: Attribute) -> Attribute:
        here = path + attribute.name
        kind = _type(attribute.type, here, demands)
        if here in demands.places:
            kind = _on_the_globe(kind)
        lives = demands.lifetimes.get(here, attribute.ttl_after_seconds)
        return replace(attribute, type=kind, ttl_after_seconds=lives)

    return tuple(map(one, attributes))


def _type(kind: Type, path: str, demands: _Demands) -> Type:
    if isinstance(kind, Struct):
        return replace(kind, attributes=_attributes(kind.attributes, f"{path}.", demands))
    if isinstance(kind, Scalar):
        return _native(_padded(kind, demands.digits.get(path)), demands.types.get(path))
    return kind


def _on_the_globe(kind: Type) -> Type:
    """The type with degrees that are a latitude as well as a longitude."""
    match kind:
        case Scalar(kind="float" | "integer"):
            return _within(kind, -90, 90)
        case Many():
            return replace(kind, element=_on_the_globe(kind.element))
        case Struct():
            inner = (replace(one, type=_on_the_globe(one.type)) for one in kind.attributes)
            return replace(kind, attributes=tuple(inner))
        case _:
            return kind


def _padded(scalar: Scalar, digits: int | None) -> Scalar:
    return scalar if digits is None else _within(scalar, 0, 10**digits - 1)


def _native(scalar: Scalar, native: str | None) -> Scalar:
    if native is None or scalar.constants:
        return scalar
    if native in _FORMS and scalar.kind in ("string", "uuid") and scalar.pattern is None:
        return replace(scalar, pattern=_FORMS[native])
    if native in _BITS and scalar.kind == "integer":
        half = 2 ** (_BITS[native] - 1)
        return _within(scalar, -half, half - 1)
    return scalar


def _within(scalar: Scalar, low: int, high: int) -> Scalar:
    """The scalar with bounds no wider than these; no lower one where none is declared, as nothing is drawn there."""
    if scalar.minimum is not None and scalar.minimum < low:
        scalar = replace(scalar, minimum=low, excludes_minimum=False)
    if scalar.maximum is None or scalar.maximum > high:
        scalar = replace(scalar, maximum=high, excludes_maximum=False)
    return scalar
