"""Narrows entities to the values that their stores accept beyond their types."""

from collections.abc import Iterable, Mapping
from datetime import timedelta
from typing import TypeVar

from keywright.declare.names import ordered
from keywright.ir.attribute import Attribute, Many, Map, Scalar, Struct, Tuple, Type, Union
from keywright.ir.binding import Binding
from keywright.ir.entity import Entity
from keywright.record import Record, replace

_HEX = "[0-9a-f]"
_FORMS = {
    "timeuuid": f"^{_HEX}{{8}}-{_HEX}{{4}}-1{_HEX}{{3}}-[89ab]{_HEX}{{3}}-{_HEX}{{12}}$",
    "uuid": f"^{_HEX}{{8}}-{_HEX}{{4}}-4{_HEX}{{3}}-[89ab]{_HEX}{{3}}-{_HEX}{{12}}$",
    "objectId": f"^{_HEX}{{24}}$",
    "inet": r"^192\.0\.2\.(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])$",
}
"""The text of a native type, by its name."""
_BITS = {"tinyint": 8, "smallint": 16, "int": 32}


S = TypeVar("S", bound=Struct)


class _Constraints(Record):
    """Constraints of one binding, by path of the field."""

    digits: Mapping[str, int]
    """The digits that templates reserve for a number."""
    types: Mapping[str, str]
    """Native types."""
    lifetimes: Mapping[str, int]
    """Seconds that items are stored after the time in this field, by an option of the store or of an index."""
    degrees: Mapping[str, int]
    """Largest degrees, as latitude and as longitude, of fields with geographic coordinates."""


def narrowed(entity: Entity, bindings: Iterable[Binding]) -> Entity:
    """The entity with the constraints of its bindings: padded numbers, and texts and numbers of native types."""
    for binding in bindings:
        entity = replace(entity, attributes=_attributes(entity.attributes, "", _constraints(binding)))
    return entity


def _constraints(binding: Binding) -> _Constraints:
    spec = binding.spec
    place = getattr(spec, "place", None)  # of Redis, which projects places on a square map
    indexes = [index for index in getattr(spec, "indexes", ()) if type(index).__name__ == "GeoIndex"]
    return _Constraints(
        _digits(binding),
        getattr(spec, "types", {}),
        _lifetimes(spec),
        {**dict.fromkeys((index.on for index in indexes), 90), **({place: 85} if isinstance(place, str) else {})},
    )


def _lifetimes(spec: object) -> dict[str, int]:
    """The shortest lifetime of each time by which items expire."""
    indexes = (index for index in getattr(spec, "indexes", ()) if hasattr(index, "expire_after"))
    expiries = [(getattr(spec, "time", None), getattr(spec, "ttl", None))]
    expiries += ((index.keys, index.expire_after) for index in indexes)
    lifetimes: dict[str, int] = {}
    for keys, duration in expiries:
        if isinstance(duration, timedelta) and (paths := ordered(keys or [])):
            seconds = int(duration.total_seconds())
            lifetimes[paths[0]] = min(seconds, lifetimes.get(paths[0], seconds))
    return lifetimes


def _digits(binding: Binding) -> dict[str, int]:
    digits: dict[str, int] = {}
    for template in binding.templates.values():
        for placeholder in template.placeholders:
            for filter in placeholder.filters:
                if filter.name == "pad" and filter.number:
                    digits[placeholder.path] = min(filter.number, digits.get(placeholder.path, filter.number))
    return digits


def _attributes(attributes: tuple[Attribute, ...], path: str, constraints: _Constraints) -> tuple[Attribute, ...]:
    def narrow(attribute: Attribute) -> Attribute:
        attribute_path = path + attribute.name
        kind = _type(attribute.type, attribute_path, constraints)
        if attribute_path in constraints.degrees:
            kind = _as_coordinates(kind, constraints.degrees[attribute_path])
        lifetimes = (attribute.ttl_after_seconds, constraints.lifetimes.get(attribute_path))
        lifetime = min((seconds for seconds in lifetimes if seconds is not None), default=None)
        return replace(attribute, type=kind, ttl_after_seconds=lifetime)

    return tuple(map(narrow, attributes))


def _type(kind: Type, path: str, constraints: _Constraints) -> Type:
    inside = f"{path}[]"  # a path of no declaration
    if isinstance(kind, Union):
        kind = replace(kind, members=tuple(_struct(member, path, constraints) for member in kind.members))
    match kind:
        case Struct():
            return _struct(kind, path, constraints)
        case Many():
            return replace(kind, element=_type(kind.element, inside, constraints))
        case Tuple():
            return replace(kind, elements=tuple(_type(element, inside, constraints) for element in kind.elements))
        case Map():
            key = _scalar(kind.key, inside, constraints)
            return replace(kind, key=key, value=_type(kind.value, inside, constraints))
        case Scalar():
            return _scalar(kind, path, constraints)


def _scalar(scalar: Scalar, path: str, constraints: _Constraints) -> Scalar:
    declared = next((native for _, native in scalar.facts.natives), None)
    return _native(_padded(scalar, constraints.digits.get(path)), constraints.types.get(path, declared))


def _struct(struct: S, path: str, constraints: _Constraints) -> S:
    return replace(struct, attributes=_attributes(struct.attributes, f"{path}.", constraints))


def _as_coordinates(kind: Type, degrees: int) -> Type:
    """The type with degrees that are valid both as latitude and as longitude."""
    match kind:
        case Scalar(kind="float" | "integer"):
            return _within(kind, -degrees, degrees)
        case Many():
            return replace(kind, element=_as_coordinates(kind.element, degrees))
        case Struct():
            inner = (replace(attribute, type=_as_coordinates(attribute.type, degrees)) for attribute in kind.attributes)
            place = replace(kind, attributes=tuple(inner))
            return _as_point(place) if {attribute.stored for attribute in place.attributes} >= _POINT else place
        case _:
            return kind


_POINT = frozenset(("type", "coordinates"))
"""Fields of a place in the form of GeoJSON."""


def _as_point(place: Struct) -> Struct:
    """A place whose fields leave its form open, as a point: an index of places accepts no other text or number of
    degrees."""
    attributes = []
    for attribute in place.attributes:
        match attribute.stored, attribute.type:
            case "type", Scalar(kind="string", constants=()) as text:
                attribute = replace(attribute, type=replace(text, constants=("Point",)))
            case "coordinates", Many(element=Scalar(), min_items=None, max_items=None) as degrees:
                attribute = replace(attribute, type=replace(degrees, min_items=2, max_items=2))
        attributes.append(attribute)
    return replace(place, attributes=tuple(attributes))


def _padded(scalar: Scalar, digits: int | None) -> Scalar:
    # The bounds of a time would be times, and its digits are enough for every generated one.
    return scalar if digits is None or scalar.kind != "integer" else _within(scalar, 0, 10**digits - 1)


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
    """The scalar with at most these bounds; no lower bound is added, because nothing is drawn below the default."""
    if scalar.minimum is not None and scalar.minimum < low:
        scalar = replace(scalar, minimum=low, excludes_minimum=False)
    if scalar.maximum is None or scalar.maximum > high:
        scalar = replace(scalar, maximum=high, excludes_maximum=False)
    return scalar
