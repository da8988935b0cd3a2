"""Bytes of documents and index entries: BSON exactly, by types and bounds; indexes as measured.

Sources: https://bsonspec.org/spec.html, 2026-11-21; docs/sizing.md, "MongoDB", for what was measured.
"""

from collections.abc import Iterable

from keywright.access.cost import NOTHING, Band, any_of, exactly, total
from keywright.access.extent import elements, map_key_bytes, sized, text_bytes
from keywright.declare.store import VERSION
from keywright.ir.attribute import Attribute, Many, Map, Scalar, Struct, Tuple, Type, Union
from keywright.ir.entity import element, resolve
from keywright.ir.template import Placeholder, Template

from ..schema.fields import ID, chosen_type
from ..schema.filters import omitted_fields
from ..schema.target import IndexTarget
from ..schema.typemap import INT32, bounds, native_type
from .layout import Layout

_FIXED = {
    "double": 8, "long": 8, "date": 8, "int": 4, "bool": 1, "null": 0, "objectId": 12, "decimal": 16,
}  # fmt: skip
"""Bytes of values. Source: https://bsonspec.org/spec.html, 2026-11-21."""

_FRAME = 5
"""Bytes of a document, array, text or binary without its content: four of length, one terminator or subtype."""

_ENTRY = 4
"""Bytes of an index entry without its keys: the location of the document, and the head of the cell.
Source: measured on 6.0.5, docs/sizing.md, "MongoDB"."""

_GROWTH_FACTOR = 3
"""Size of an index that grew by single inserts, as a multiple of an index built at once. Source: as _ENTRY."""


def document_bytes(view: Layout) -> Band:
    """BSON bytes of a document, names included."""
    if "" not in view.sizes:
        view.sizes[""] = _document(view)
    return view.sizes[""]


def _document(view: Layout) -> Band:
    omitted = omitted_fields(view.binding)
    parts = [_id(view)]
    for attribute in view.attributes:
        name = view.stored.get(attribute.name, attribute.stored)
        if name != ID:
            parts.append(_entry(view, attribute, attribute.name, name, attribute.name in omitted))
    parts += (_named(name, _text(view, template)) for name, template in view.binding.computed.items())
    if view.binding.spec.schema_version > 1:
        parts.append(_named(VERSION, exactly(_FIXED["int"])))
    return total([*parts, exactly(_FRAME)])


def field_bytes(view: Layout, attribute: Attribute) -> Band:
    """BSON bytes of a field of a document, its name included."""
    return _entry(view, attribute, attribute.name, view.stored.get(attribute.name, attribute.stored), False)


def id_bytes(view: Layout) -> Band:
    """BSON bytes of the value of `_id`."""
    if view.id is None:
        return exactly(_FIXED["objectId"])
    return _text(view, view.id)


def entry_bytes(view: Layout, index: IndexTarget) -> Band:
    """Bytes of a document in an index: compact at least, typical, and grown by single inserts at most."""
    if index.name not in view.sizes:
        view.sizes[index.name] = _index_entry(view, index)
    return view.sizes[index.name]


def _index_entry(view: Layout, index: IndexTarget) -> Band:
    names = {path: name for name, path in view.stored.items()}
    fields = [names.get(path, path) for path, _ in index.keys]
    keys = total([_key(view, field) for field in fields])
    entry = keys + exactly(_ENTRY)
    array = next((view.array(field) for field in fields if view.array(field)), "")
    count = _elements(view, array) if array else exactly(1)
    size = entry * count
    return Band(
        0 if index.filter or index.is_sparse else size.low / 2,
        size.expected,
        None if size.high is None else size.high * _GROWTH_FACTOR,
    )


def entries(view: Layout, index: IndexTarget) -> Band:
    """Entries of a document in an index."""
    names = {path: name for name, path in view.stored.items()}
    arrays = [view.array(names.get(path, path)) for path, _ in index.keys]
    array = next((array_path for array_path in arrays if array_path), "")
    times = _elements(view, array) if array else exactly(1)
    if "text" in {direction for _, direction in index.keys}:
        times = Band(0, None, None, frozenset(("words of a text",)))
    is_partial = index.filter is not None or index.is_sparse
    return Band(0, times.expected, times.high, times.missing) if is_partial else times


def projected_bytes(view: Layout, paths: Iterable[str]) -> Band:
    """BSON bytes of documents reduced to some paths."""
    names = {path: name for name, path in view.stored.items()}
    bands: list[Band] = [exactly(_FRAME)]
    for path in paths:
        name = names.get(path, path)
        attributes = resolve(view.attributes, name)
        if path == ID:
            bands.append(_named(ID, id_bytes(view)))
        elif attributes:
            bands.append(_entry(view, attributes[-1], name, path, False))
        elif name in view.binding.computed:
            bands.append(_named(name, _text(view, view.binding.computed[name])))
    return total(bands)


def value_bytes(view: Layout, type: Type, path: str) -> Band:
    """BSON bytes of a value."""
    if isinstance(type, Scalar):
        return _scalar(view, type, path)
    return sized(type, _composed(view, type, path))


def _composed(view: Layout, type: Many | Tuple | Map | Struct, path: str) -> Band:
    """BSON bytes of a value by those of its parts."""
    match type:
        case Many():
            return _array(elements(type, _named_path(view, path)), value_bytes(view, type.element, path))
        case Tuple():
            inner_values = (value_bytes(view, element, path) + exactly(3) for element in type.elements)
            return total([*inner_values, exactly(_FRAME)])
        case Map():
            count = elements(type, _named_path(view, path))
            named = _named_path(view, path)
            key = map_key_bytes(type, named, Band(0, None, None, frozenset((f"{named}: the length of its keys",))))
            return count * (key + value_bytes(view, type.value, path) + exactly(2)) + exactly(_FRAME)
        case Union(members=members):
            return any_of([value_bytes(view, member, path) for member in members])
        case Struct():
            inner = (
                _entry(view, attribute, f"{path}.{attribute.name}", attribute.stored, False)
                for attribute in type.attributes
            )
            return total([*inner, exactly(_FRAME)])


def array_bytes(count: int, value: float) -> float:
    """BSON bytes of an array: a document whose keys are the digits of the positions."""
    digits, start = 0, 0
    while start < count:  # positions with the same number of digits together
        end = min(count, max(10, start * 10))
        digits += len(str(start)) * (end - start)
        start = end
    return _FRAME + digits + count * (2 + value)


def _array(count: Band, value: Band) -> Band:
    def size_of(items: float | None, size: float | None) -> float | None:
        return None if items is None or size is None else array_bytes(round(items), size)

    low = array_bytes(round(count.low), value.low)
    return Band(
        low, size_of(count.expected, value.expected), size_of(count.high, value.high), count.missing | value.missing
    )


def _elements(view: Layout, path: str) -> Band:
    attributes = resolve(view.attributes, path)
    return (
        elements(attributes[-1].type, _named_path(view, path))
        if attributes and isinstance(attributes[-1].type, Many)
        else exactly(1)
    )


def _entry(view: Layout, attribute: Attribute, path: str, name: str, is_omitted: bool) -> Band:
    """A field with its name; null has the size of the name, or none if the field is omitted."""
    present = _named(name, value_bytes(view, attribute.type, path))
    if not attribute.is_nullable:
        return present
    return present.widest(NOTHING if attribute.is_required or is_omitted else _named(name, NOTHING))


def _named(name: str, value: Band) -> Band:
    return value + exactly(2 + len(name.encode()))


def _id(view: Layout) -> Band:
    return _named(ID, id_bytes(view))


def _text(view: Layout, template: Template) -> Band:
    """Size of a template's value: a text, or the value of a lone field."""
    if template.lone is not None:
        attributes = resolve(view.attributes, template.lone.path)
        return value_bytes(view, attributes[-1].type, template.lone.path) if attributes else exactly(_FIXED["objectId"])
    parts = [
        _part(view, part) if isinstance(part, Placeholder) else exactly(len(part.encode())) for part in template.parts
    ]
    return total([*parts, exactly(_FRAME)])


def _part(view: Layout, part: str | Placeholder) -> Band:
    if isinstance(part, str):
        return exactly(len(part.encode()))
    if part.width is not None:
        return exactly(part.width)
    attributes = resolve(view.attributes, part.path)
    kind = attributes[-1].type if attributes else None
    return text_bytes(kind, _named_path(view, part.path)) if isinstance(kind, Scalar) else exactly(0)


def _scalar(view: Layout, type: Scalar, path: str) -> Band:
    native = view.types.get(path, "string")
    if native in ("array", "object"):
        native = _native(view, type, path)
    if native == "long" and type.kind == "integer" and chosen_type(view.binding, path) != "long":
        return _integer(type)
    if native in _FIXED:
        return exactly(_FIXED[native])
    if native == "binData" and type.kind == "uuid":
        return exactly(_FRAME + 16)
    return text_bytes(type, _named_path(view, path)) + exactly(_FRAME)


def _native(view: Layout, type: Scalar, path: str) -> str:
    return native_type(type, chosen_type(view.binding, path))


def _integer(type: Scalar) -> Band:
    """Drivers write a whole number as int if it fits, else as long."""
    low, high = bounds(type)
    if (low is not None and low > INT32[-1]) or (high is not None and high < INT32[0]):
        return exactly(_FIXED["long"])
    return Band(_FIXED["int"], _FIXED["int"] if low is not None and high is None else _FIXED["long"], _FIXED["long"])


def _key(view: Layout, field: str) -> Band:
    """Bytes of a value in an index: a byte of type, and the value without the frame that BSON adds."""
    template = view.template(field)
    attributes = resolve(view.attributes, field)
    if template is not None:
        value = _text(view, template)
    elif attributes:
        value = value_bytes(view, element(attributes[-1].type), field)
    else:
        value = exactly(_FIXED["objectId"])
    kind = element(attributes[-1].type) if attributes else None
    is_framed = template is not None or not isinstance(kind, Scalar) or view.types.get(field) in ("string", "binData")
    return value + exactly(1 - _FRAME if is_framed else 1)


def _named_path(view: Layout, path: str) -> str:
    return f"{view.binding.entity.name}.{path}"
