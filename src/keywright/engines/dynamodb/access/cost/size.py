"""Bytes of items and index entries, from types, bounds and facts.

The formulas are those of `native_bytes.py`.
"""

from functools import lru_cache

from keywright.access.cost import Band, any_of, exactly, total
from keywright.access.extent import elements, map_key_bytes, sized, text_bytes
from keywright.declare.store import VERSION
from keywright.ir.attribute import Attribute, Many, Map, Scalar, Struct, Tuple, Type, Union
from keywright.ir.entity import resolve
from keywright.ir.template import Placeholder, Template

from ...schema.keys import attribute_type
from ...schema.lower import ttl_attribute
from ...schema.typemap import native_type
from ..layout import FilledKeyPart, Layout, Route
from .native_bytes import CONTAINER, ELEMENT, NUMBER_MOST, number_bytes, utf8


@lru_cache(maxsize=4096)
def item_bytes(entity: Layout) -> Band:
    """Bytes of one stored item, names included."""
    own = {attribute.stored for attribute in entity.attributes} | set(entity.computed)
    bands = [_named(part.attribute, key_bytes(entity, part)) for part in entity.key.key if part.attribute not in own]
    if entity.shape.copies > 1:
        bands.append(exactly(len(f"#{entity.shape.copies - 1}")))
    bands += (attribute_bytes(entity, attribute) for attribute in entity.attributes)
    bands += (_named(name, template_bytes(entity, template)) for name, template in entity.computed.items())
    expiry = ttl_attribute(entity.binding)
    if expiry is not None and expiry not in own:
        bands.append(_maybe(_named(expiry, exactly(6)), is_optional=True))
    if (discriminator := entity.shape.discriminator) is not None:
        bands.append(exactly(utf8(discriminator.attribute + discriminator.value)))
    if entity.shape.schema_version > 1:
        bands.append(_named(VERSION, exactly(number_bytes(entity.shape.schema_version))))
    for route in entity.routes[1:]:
        band = total(
            [_named(part.attribute, key_bytes(entity, part)) for part in route.key if part.attribute not in own]
        )
        if route.by.kind == "gsi":
            bands.append(_maybe(band, is_optional=bool(route.where or route.optional)))
    return total(bands)


def entry_bytes(entity: Layout, route: Route) -> Band:
    """Bytes of one entry of an index: its key, the table's key, and projected attributes."""
    if route.projected is None:
        return item_bytes(entity)
    keyed: dict[str, Band] = {}
    for part in (*route.key, *entity.key.key):
        keyed.setdefault(part.attribute, _named(part.attribute, key_bytes(entity, part)))
    bands = [*keyed.values()]
    bands += (
        attribute_bytes(entity, attribute)
        for attribute in entity.attributes
        if attribute.stored in route.projected and attribute.stored not in keyed
    )
    bands += (
        _named(name, template_bytes(entity, template))
        for name, template in entity.computed.items()
        if name in route.projected and name not in keyed
    )
    if (discriminator := entity.shape.discriminator) is not None and discriminator.attribute in route.projected:
        bands.append(exactly(utf8(discriminator.attribute + discriminator.value)))
    return total(bands)


def attribute_bytes(entity: Layout, attribute: Attribute) -> Band:
    """Bytes of one attribute of an item, its name included."""
    path = attribute.name
    value = _value(entity, attribute.type, entity.native(path), path)
    if not attribute.is_nullable:
        return _named(attribute.stored, value)
    if attribute.is_required:
        return _maybe(_named(attribute.stored, value), is_optional=True)
    return _named(attribute.stored, value.widest(exactly(1)))


def key_bytes(entity: Layout, part: FilledKeyPart) -> Band:
    """Bytes of a key attribute's value."""
    lone = part.template.lone
    attributes = resolve(entity.attributes, lone.path) if lone else None
    if lone is not None and attributes:
        return _value(entity, attributes[-1].type, part.native, lone.path)
    return template_bytes(entity, part.template)


def template_bytes(entity: Layout, template: Template) -> Band:
    """Bytes of the text that a template writes."""
    return total([
        exactly(utf8(part)) if isinstance(part, str) else _placeholder(entity, part) for part in template.parts
    ])  # fmt: skip


def _placeholder(entity: Layout, placeholder: Placeholder) -> Band:
    if placeholder.width is not None:
        return exactly(placeholder.width)
    attributes = resolve(entity.attributes, placeholder.path)
    kind = attributes[-1].type if attributes else None
    if not isinstance(kind, Scalar):
        return Band(0, None, None, frozenset((f"{entity.binding.entity.name}.{placeholder.path}",)))
    text = text_bytes(kind, f"{entity.binding.entity.name}.{placeholder.path}")
    return text + exactly(2) if placeholder.is_tag else text


def _named(name: str, value: Band) -> Band:
    return exactly(utf8(name)) + value


def _maybe(present: Band, *, is_optional: bool) -> Band:
    """Band of an attribute that may be absent."""
    return Band(0, present.expected, present.high, present.missing) if is_optional else present


def _value(entity: Layout, type: Type, native: str, path: str) -> Band:
    """Bytes of a value."""
    if isinstance(type, Scalar):
        return _scalar(type, native, f"{entity.binding.entity.name}.{path}")
    return sized(type, _composed(entity, type, native, path))


def _composed(entity: Layout, type: Many | Tuple | Map | Struct, native: str, path: str) -> Band:
    """Bytes of a value by those of its parts."""
    label = f"{entity.binding.entity.name}.{path}"
    match type:
        case Many():
            count = elements(type, label)
            inner = native[0] if native in ("SS", "NS", "BS") else native_type(type.element)
            element = _value(entity, type.element, inner, path)
            return (
                count * element
                if native in ("SS", "NS", "BS")
                else exactly(CONTAINER) + count * (element + exactly(ELEMENT))
            )
        case Tuple():
            values = (_value(entity, inner_type, native_type(inner_type), path) for inner_type in type.elements)
            return exactly(CONTAINER) + total([inner_value + exactly(ELEMENT) for inner_value in values])
        case Map():
            count = Band(0, None, None, frozenset((f"{label}: the number of its entries",)))
            if type.max_items is not None:
                count = Band(0, type.max_items / 2, type.max_items)
            unknown = Band(0, None, None, frozenset((f"{label}: the length of its names",)))
            element = map_key_bytes(type, label, unknown) + _value(entity, type.value, native_type(type.value), path)
            return exactly(CONTAINER) + count * (element + exactly(ELEMENT))
        case Union(members=members):
            return any_of([_value(entity, member, native, path) for member in members])
        case Struct():
            fields = [_field(entity, attribute, path) for attribute in type.attributes]
            return exactly(CONTAINER) + total(fields)


def _field(entity: Layout, attribute: Attribute, path: str) -> Band:
    """Bytes of one attribute of an embedded model."""
    field_path = f"{path}.{attribute.name}"
    value = _value(entity, attribute.type, attribute_type(entity.binding, attribute, field_path), field_path)
    band = _named(attribute.stored, value) + exactly(ELEMENT)
    if not attribute.is_nullable:
        return band
    if attribute.is_required:
        return _maybe(band, is_optional=True)
    return band.widest(_named(attribute.stored, exactly(1 + ELEMENT)))


_NUMBERS = {"datetime": (1, 9, 11), "date": (1, 6, 8), "duration": (1, 5, 11), "float": (1, 9, 11)}
"""Least, usual and most bytes of numbers of a kind: epoch seconds with microseconds, midnights, 17-digit floats."""

_WHOLE_TIMES = {"milliseconds": (1, 8, 9), "seconds": (1, 6, 8)}
"""The same of times since 1970 in whole units: 13 digits of milliseconds and 10 of seconds today."""


def _scalar(scalar: Scalar, native: str, label: str) -> Band:
    match native:
        case "BOOL":
            return exactly(1)
        case "N":
            return _number(scalar)
        case "B" if scalar.kind == "uuid":
            return exactly(16)
        case _:
            return text_bytes(scalar, label)


def _number(scalar: Scalar) -> Band:
    if scalar.constants:
        sizes = sorted(number_bytes(int(constant)) for constant in scalar.constants)
        return Band(sizes[0], sum(sizes) / len(sizes), sizes[-1])
    if scalar.precision:
        return Band(*_WHOLE_TIMES[scalar.precision])
    if scalar.kind in _NUMBERS:
        return Band(*_NUMBERS[scalar.kind])
    if scalar.max_digits is not None:
        # Digits that begin or end in the middle of a pair take a byte more.
        largest = (scalar.max_digits + 1) // 2 + 1 + 1
        sign = 0 if scalar.minimum is not None and scalar.minimum >= 0 else 1
        return Band(1, min((scalar.max_digits + 1) // 4 + 2, largest), min(largest + sign, NUMBER_MOST))
    if scalar.minimum is not None and scalar.maximum is not None and scalar.kind == "integer":
        ends = [number_bytes(int(scalar.minimum)), number_bytes(int(scalar.maximum))]
        # 99 takes as much as 10, but 101 as much as 1,000: the longest number has no trailing zeros.
        digits = max(len(str(abs(int(scalar.minimum)))), len(str(abs(int(scalar.maximum)))))
        largest = (digits + 1) // 2 + 1 + (scalar.minimum < 0)
        return Band(1 if scalar.minimum <= 0 <= scalar.maximum else 2, sum(ends) / 2, max(largest, *ends))
    return Band(1, 4, NUMBER_MOST)
