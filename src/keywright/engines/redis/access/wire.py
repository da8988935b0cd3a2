"""Bytes of keys and values on the wire, by their types."""

from collections.abc import Callable, Iterable

from keywright.access.cost import NOTHING, Band, any_of, exactly, total
from keywright.access.extent import elements, map_key_bytes, sized, text_bytes
from keywright.ir.attribute import Attribute, Many, Map, Scalar, Struct, Tuple, Type, Union
from keywright.ir.entity import resolve
from keywright.ir.template import Template

from .layout import Layout

_ESCAPED = 6
"""The most bytes of a character in JSON: a control character is written as \\u0000. Source: RFC 8259, section 7."""


def key_bytes(layout: Layout) -> Band:
    """Bytes of a key of the entity."""
    return exactly(len(layout.prefix)) + template_bytes(layout.key, layout)


def template_bytes(template: Template, layout: Layout) -> Band:
    """Bytes of the text that a template writes."""
    parts: list[Band] = []
    for part in template.parts:
        if isinstance(part, str):
            parts.append(exactly(len(part.encode())))
        elif part.width is not None:
            parts.append(exactly(part.width))
        else:
            path = resolve(layout.attributes, part.path)
            kind = path[-1].type if path else None
            braces = exactly(2 if part.is_tag else 0)
            name = f"{layout.structure.entity}.{part.path}"
            parts.append(braces + (text_bytes(kind, name) if isinstance(kind, Scalar) else Band(0, None, None)))
    return total(parts)


def item_bytes(layout: Layout, fields: Iterable[str] | None = None) -> Band:
    """Bytes of the answer for one item, without its key; fields: stored names of the fields that are read."""
    name = layout.structure.entity
    match layout.kind:
        case "set" | "hyperloglog" if layout.member:
            return template_bytes(layout.member, layout)
        case "sorted set" if layout.member:
            return template_bytes(layout.member, layout) + Band(1, 10, 24)  # a double in up to 17 digits
        case "geo" if layout.member:
            return template_bytes(layout.member, layout) + Band(20, 36, 44)
        case "bitmap" | "rate limit":
            return exactly(1)
    attribute = layout.attribute(layout.value) if layout.value else None
    if attribute is not None:
        return value_bytes(attribute.type, f"{name}.{attribute.name}")
    stored_names = None if fields is None else set(fields)
    attributes = [attribute for attribute in layout.stored if stored_names is None or attribute.stored in stored_names]
    if layout.kind in ("hash", "stream"):
        return total([_field(attribute, name, value_bytes, 0) for attribute in attributes])
    return total([_field(attribute, name, json_bytes, 4) for attribute in attributes]) + exactly(2)


def _field(attribute: Attribute, entity: str, size: Callable[[Type, str], Band], signs: int) -> Band:
    """Bytes of a field with its name; signs: the number of quotes, colons and commas."""
    name_bytes = exactly(len(attribute.stored.encode()) + signs)
    present = name_bytes + size(attribute.type, f"{entity}.{attribute.name}")
    return present.widest(NOTHING) if attribute.is_nullable else present


def value_bytes(kind: Type, path: str) -> Band:
    """Bytes of a value outside JSON."""
    return text_bytes(kind, path) if isinstance(kind, Scalar) and kind.kind != "json" else json_bytes(kind, path)


def json_bytes(kind: Type, path: str) -> Band:
    """Bytes of a value inside JSON."""
    if isinstance(kind, Scalar):
        return _json_scalar(kind, path)
    return sized(kind, _composed(kind, path))


def _composed(kind: Many | Tuple | Map | Struct, path: str) -> Band:
    """Bytes of a value inside JSON by those of its parts."""
    match kind:
        case Many():
            return exactly(2) + elements(kind, path) * (json_bytes(kind.element, path) + exactly(1))
        case Tuple():
            return exactly(2) + total([json_bytes(element, path) + exactly(1) for element in kind.elements])
        case Map():
            unknown = Band(0, 10, None, frozenset((f"{path}: keys of a bounded length",)))
            key = map_key_bytes(kind, path, unknown) + exactly(4)
            return exactly(2) + elements(kind, path) * (json_bytes(kind.value, path) + key)
        case Union(members=members):
            return any_of([json_bytes(member, path) for member in members])
        case Struct():
            return exactly(2) + total([_field(attribute, path, json_bytes, 4) for attribute in kind.attributes])


def _json_scalar(kind: Scalar, path: str) -> Band:
    text = text_bytes(kind, path)
    if kind.kind in ("integer", "float", "boolean"):
        return text
    if kind.kind == "bytes":
        return text * (4 / 3) + exactly(4)
    if kind.kind != "string" or kind.constants or kind.pattern:
        return text + exactly(2)
    high = kind.facts.max_bytes or kind.max_length
    return Band(text.low + 2, None if text.expected is None else text.expected + 2,
                None if high is None else high * _ESCAPED + 2, text.missing)  # fmt: skip
