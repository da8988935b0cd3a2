"""How many bytes documents and index entries have: BSON exactly, by types and bounds; indexes as measured.

Sources: https://bsonspec.org/spec.html, 2026-11-21; docs/sizing.md, "MongoDB", for what was measured.
"""

from collections.abc import Iterable

from keywright.access.cost import NOTHING, Band, exactly, total
from keywright.access.extent import elements, text_bytes
from keywright.declare.predicates import conditions
from keywright.declare.store import VERSION
from keywright.ir.attribute import Attribute, Many, Map, Scalar, Struct, Type
from keywright.ir.entity import element, resolve
from keywright.ir.template import Placeholder, Template

from ..fields import ID, chosen_type, store_of
from ..target import IndexTarget
from ..typemap import INT32, bounds, native_type
from .view import View

_FIXED = {
    "double": 8, "long": 8, "date": 8, "int": 4, "bool": 1, "null": 0, "objectId": 12, "decimal": 16,
}  # fmt: skip
"""Bytes of values. Source: https://bsonspec.org/spec.html, 2026-11-21."""

_FRAME = 5
"""Bytes of a document, array, text or binary beside what is in it: four of length, and one at the end or of subtype."""

_ENTRY = 4
"""Bytes of an index entry beside its keys: where the document is, and the head of the cell.
Source: measured on 6.0.5, docs/sizing.md, "MongoDB"."""

_GROWN = 3
"""How much larger an index is that grew by single inserts than one built at once. Source: as _ENTRY."""


def document_bytes(view: View) -> Band:
    """BSON bytes of a document, names included."""
    if "" not in view.sizes:
        view.sizes[""] = _document(view)
    return view.sizes[""]


def _document(view: View) -> Band:
    wanted = _wanted(view)
    parts = [_id(view)]
    for attribute in view.attributes:
        name = view.stored.get(attribute.name, attribute.stored)
        if name != ID:
            parts.append(_entry(view, attribute, attribute.name, name, attribute.name in wanted))
    parts += (_named(name, _text(view, template)) for name, template in view.binding.computed.items())
    if store_of(view.binding).schema_version > 1:
        parts.append(_named(VERSION, exactly(_FIXED["int"])))
    return total([*parts, exactly(_FRAME)])


def field_bytes(view: View, attribute: Attribute) -> Band:
    """BSON bytes of a field of a document, its name included."""
    return _entry(view, attribute, attribute.name, view.stored.get(attribute.name, attribute.stored), False)


def id_bytes(view: View) -> Band:
    """BSON bytes of the value of `_id`."""
    if view.id is None:
        return exactly(_FIXED["objectId"])
    return _text(view, view.id)


def entry_bytes(view: View, index: IndexTarget) -> Band:
    """Bytes that a document takes in an index: in a compact one, as usual, and in one that grew by single inserts."""
    if index.name not in view.sizes:
        view.sizes[index.name] = _index_entry(view, index)
    return view.sizes[index.name]


def _index_entry(view: View, index: IndexTarget) -> Band:
    names = {path: name for name, path in view.stored.items()}
    fields = [names.get(path, path) for path, _ in index.keys]
    keys = total([_key(view, field) for field in fields])
    once = keys + exactly(_ENTRY)
    array = next((view.array(field) for field in fields if view.array(field)), "")
    times = _elements(view, array) if array else exactly(1)
    size = once * times
    return Band(0 if index.filter else size.low / 2, size.expected, None if size.high is None else size.high * _GROWN)


def entries(view: View, index: IndexTarget) -> Band:
    """Entries that a document has in an index."""
    names = {path: name for name, path in view.stored.items()}
    arrays = [view.array(names.get(path, path)) for path, _ in index.keys]
    array = next((one for one in arrays if one), "")
    times = _elements(view, array) if array else exactly(1)
    if "text" in {direction for _, direction in index.keys}:
        times = Band(0, None, None, frozenset(("words of a text",)))
    return Band(0, times.expected, times.high, times.missing) if index.filter is not None else times


def projected_bytes(view: View, paths: Iterable[str]) -> Band:
    """BSON bytes of documents of which only some paths are sent back."""
    names = {path: name for name, path in view.stored.items()}
    found: list[Band] = [exactly(_FRAME)]
    for path in paths:
        name = names.get(path, path)
        known = resolve(view.attributes, name)
        if path == ID:
            found.append(_named(ID, id_bytes(view)))
        elif known:
            found.append(_entry(view, known[-1], name, path, False))
        elif name in view.binding.computed:
            found.append(_named(name, _text(view, view.binding.computed[name])))
    return total(found)


def value_bytes(view: View, type: Type, path: str) -> Band:
    """BSON bytes of a value."""
    match type:
        case Scalar():
            return _scalar(view, type, path)
        case Many():
            return _array(elements(type, _named_path(view, path)), value_bytes(view, type.element, path))
        case Map():
            count = elements(type, _named_path(view, path))
            key = Band(0, None, None, frozenset((f"{_named_path(view, path)}: the length of its keys",)))
            return count * (key + value_bytes(view, type.value, path) + exactly(2)) + exactly(_FRAME)
        case Struct():
            inner = (_entry(view, one, f"{path}.{one.name}", one.stored, False) for one in type.attributes)
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
    def at(items: float | None, size: float | None) -> float | None:
        return None if items is None or size is None else array_bytes(round(items), size)

    low = array_bytes(round(count.low), value.low)
    return Band(low, at(count.expected, value.expected), at(count.high, value.high), count.missing | value.missing)


def _elements(view: View, path: str) -> Band:
    found = resolve(view.attributes, path)
    return (
        elements(found[-1].type, _named_path(view, path)) if found and isinstance(found[-1].type, Many) else exactly(1)
    )


def _wanted(view: View) -> set[str]:
    tests = (test for index in store_of(view.binding).indexes for test in conditions(index.where))
    return {test.field for test in tests if test.test == "present"}


def _entry(view: View, attribute: Attribute, path: str, name: str, is_wanted: bool) -> Band:
    """A field with its name; null takes the name alone, or nothing where it is left out."""
    there = _named(name, value_bytes(view, attribute.type, path))
    if not attribute.is_nullable:
        return there
    return there.widest(NOTHING if attribute.is_required or is_wanted else _named(name, NOTHING))


def _named(name: str, value: Band) -> Band:
    return value + exactly(2 + len(name.encode()))


def _id(view: View) -> Band:
    return _named(ID, id_bytes(view))


def _text(view: View, template: Template) -> Band:
    """What a template makes: text, or the value of a lone field."""
    if template.lone is not None:
        found = resolve(view.attributes, template.lone.path)
        return value_bytes(view, found[-1].type, template.lone.path) if found else exactly(_FIXED["objectId"])
    parts = [
        _part(view, part) if isinstance(part, Placeholder) else exactly(len(part.encode())) for part in template.parts
    ]
    return total([*parts, exactly(_FRAME)])


def _part(view: View, part: str | Placeholder) -> Band:
    if isinstance(part, str):
        return exactly(len(part.encode()))
    if part.width is not None:
        return exactly(part.width)
    found = resolve(view.attributes, part.path)
    kind = found[-1].type if found else None
    return text_bytes(kind, _named_path(view, part.path)) if isinstance(kind, Scalar) else exactly(0)


def _scalar(view: View, type: Scalar, path: str) -> Band:
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


def _native(view: View, type: Scalar, path: str) -> str:
    return native_type(type, chosen_type(view.binding, path))


def _integer(type: Scalar) -> Band:
    """Drivers write a whole number as int where it fits, and as long where it does not."""
    low, high = bounds(type)
    if (low is not None and low > INT32[-1]) or (high is not None and high < INT32[0]):
        return exactly(_FIXED["long"])
    return Band(_FIXED["int"], _FIXED["int"] if low is not None and high is None else _FIXED["long"], _FIXED["long"])


def _key(view: View, field: str) -> Band:
    """Bytes of a value in an index: a byte of type, and the value without the frame that BSON gives it."""
    template = view.template(field)
    found = resolve(view.attributes, field)
    if template is not None:
        value = _text(view, template)
    elif found:
        value = value_bytes(view, element(found[-1].type), field)
    else:
        value = exactly(_FIXED["objectId"])
    kind = element(found[-1].type) if found else None
    is_framed = template is not None or not isinstance(kind, Scalar) or view.types.get(field) in ("string", "binData")
    return value + exactly(1 - _FRAME if is_framed else 1)


def _named_path(view: View, path: str) -> str:
    return f"{view.binding.entity.name}.{path}"
