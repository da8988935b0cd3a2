"""Memory of an entity on its server: the number of keys, and the bytes of each by its encoding."""

from math import prod
from typing import Literal

from keywright.access.cost import Band
from keywright.ir.attribute import Scalar, Type
from keywright.ir.binding import Binding
from keywright.ir.entity import resolve
from keywright.ir.template import TIME_WIDTHS

from ..declare.options import Structure
from .document_memory import document_memory
from .layout import Layout
from .paths.read import KEYED
from .size import (
    HYPERLOGLOG_BYTES,
    INTSET_ENTRIES,
    Allocator,
    bucket_share,
    fields_memory,
    intset_memory,
    key_memory,
    list_memory,
    listpack_entry,
    listpack_text,
    set_memory,
    sorted_set_memory,
    stream_memory,
    string_memory,
)
from .wire import item_bytes, key_bytes, template_bytes, value_bytes

_GEOHASH = 10
"""Bytes of a place in a compact block: a whole number of 52 bits."""

_DOUBLE = 19
"""Bytes of a score with a fraction in a compact block: text of up to 17 digits with its point, and its length."""

_LARGE = 2**31 - 1
"""The assumed size of an integer without a declared bound: 32 bits."""


def keys_of(layout: Layout) -> float | None:
    """Number of keys, computed from the distinct values of their parts; None if one of these is unknown."""
    counts = _values(layout)
    return None if counts is None else prod(count for count, _ in counts)


def _pairs(layout: Layout) -> float:
    """The least number of keys: each value of its most various field is in one; few of all pairs may exist."""
    counts = _values(layout) or []
    closed = prod(count for count, is_counted in counts if not is_counted)
    return closed * max((count for count, is_counted in counts if is_counted), default=1)


def _values(layout: Layout) -> list[tuple[float, bool]] | None:
    """(number of values, whether a declaration counts them) of each part of the key, which else is a closed set or a
    shard; None if one is unknown.
    """
    counts: list[tuple[float, bool]] = []
    for placeholder in layout.key.placeholders:
        if placeholder.shards is not None:
            counts.append((placeholder.shards, False))
            continue
        attributes = resolve(layout.attributes, placeholder.path)
        kind = attributes[-1].type if attributes else None
        is_time = any(filter.name in TIME_WIDTHS for filter in placeholder.filters)
        if is_time or not isinstance(kind, Scalar) or not (kind.facts.distinct or kind.constants):
            return None
        counts.append((kind.facts.distinct or len(kind.constants), bool(kind.facts.distinct)))
    return counts


def elements_of(layout: Layout, binding: Binding[Structure]) -> float | None:
    """Number of elements under one key; None if it is unknown."""
    expected, keys = binding.spec.expected, keys_of(layout)
    if expected is not None and keys:
        return float(max(1, expected / keys))
    return layout.structure.kept if keys == 1 else None


def memory(layout: Layout, binding: Binding[Structure], allocator: Allocator = "bundled") -> float | None:
    """Bytes of all items of an entity at the design size with their keys; None if their number is not declared.

    For undeclared lengths the minimum is used, so that the result is never too large.
    """
    expected, keys = binding.spec.expected, keys_of(layout)
    if expected is None and keys is not None:
        keys = _pairs(layout)
    if layout.kind in KEYED:
        keys = keys if expected is None else expected
        value = _alone(layout, allocator)
    elif layout.kind == "hyperloglog":
        value = HYPERLOGLOG_BYTES
    elif layout.kind == "rate limit":
        value = None  # the number of calls in a period is not declared
    else:
        elements = elements_of(layout, binding)
        if keys is not None and expected is not None:
            keys = min(keys, expected)  # a key without elements does not exist
        value = None if elements is None else _several(layout, max(1, round(elements)), allocator)
    if keys is None or value is None:
        return None
    has_ttl = layout.structure.ttl_seconds is not None or layout.structure.expires_at is not None
    share = bucket_share(max(1, round(keys)), is_embedded=layout.has_embedded_members)
    is_embedded = layout.has_embedded_members
    per_key = key_memory(_typical(key_bytes(layout)), has_ttl=has_ttl, allocator=allocator, is_embedded=is_embedded)
    return keys * (per_key + value + share * (2 if has_ttl else 1))


def _alone(layout: Layout, allocator: Allocator) -> float:
    """Bytes of the value of a key with one item."""
    if layout.kind == "counter":
        return string_memory(None, allocator)
    if layout.kind == "json":
        return document_memory(layout.stored, allocator)
    if layout.kind != "hash":
        return string_memory(_typical(item_bytes(layout)), allocator)
    return fields_memory(_fields(layout), allocator, is_embedded=layout.has_embedded_members)


def _fields(layout: Layout) -> list[tuple[int, int, int]]:
    """Lengths of the names and values of an item's fields, and the bytes of each value in a compact block."""
    return [
        (len(attribute.stored.encode()), length, _packed(attribute.type, length))
        for attribute in layout.stored
        for length in (_typical(value_bytes(attribute.type, attribute.name)),)
    ]


def _several(layout: Layout, elements: int, allocator: Allocator) -> float | None:
    """Bytes of the value of a key with `elements` items."""
    if layout.kind == "bitmap":
        return None  # its length depends on the last bit
    is_embedded, has_listpack = layout.has_embedded_members, layout.has_listpacks
    if layout.kind == "stream" and layout.stored:
        return stream_memory(elements, _fields(layout), allocator)
    length = _typical(template_bytes(layout.member, layout) if layout.member else item_bytes(layout))
    if layout.kind == "set":
        width = _width(layout)
        if width and elements <= INTSET_ENTRIES:
            return intset_memory(elements, width, allocator)
        return set_memory(elements, length, allocator, has_listpack=has_listpack, is_embedded=is_embedded)
    if layout.kind in ("sorted set", "geo"):
        return sorted_set_memory(elements, length, _score(layout), allocator, is_embedded=is_embedded)
    if layout.kind == "list":
        return list_memory(elements, length, allocator, has_listpack=has_listpack)
    return stream_memory(elements, [(len(layout.value or ""), length, listpack_text(length))], allocator)


def _width(layout: Layout) -> Literal[2, 4, 8] | None:
    """Bytes of a member of a set of integers; None if members are texts."""
    parts = layout.member.parts if layout.member else ()
    if len(parts) != 1 or isinstance(parts[0], str) or parts[0].filters or parts[0].is_tag:
        return None
    attributes = resolve(layout.attributes, parts[0].path)
    kind = attributes[-1].type if attributes else None
    if not isinstance(kind, Scalar) or kind.kind != "integer":
        return None
    largest = max(map(abs, _ends(kind)))
    return 2 if largest < 2**15 else 4 if largest < 2**31 else 8


def _score(layout: Layout) -> int:
    """Bytes of a score in a compact block."""
    field = layout.attribute(layout.value or "")
    if layout.kind == "geo":
        return _GEOHASH
    if field is None or not isinstance(field.type, Scalar) or not _is_whole(field.type):
        return _DOUBLE if layout.has_embedded_members else _DOUBLE + 1  # Redis before 7.2 always writes 17 digits
    return max(map(listpack_entry, _ends(field.type)))


def _is_whole(kind: Scalar) -> bool:
    """Whether scores of a kind have no fraction: whole numbers, and times with a precision."""
    return kind.kind == "integer" or kind.precision is not None


def _packed(kind: Type, length: int) -> int:
    """Bytes of a value in a compact block, which does not store integers as text."""
    if isinstance(kind, Scalar) and kind.kind == "integer":
        return max(map(listpack_entry, _ends(kind)))
    return listpack_text(length)


def _ends(kind: Scalar) -> tuple[int, ...]:
    ends = tuple(int(end) for end in (kind.minimum, kind.maximum) if end is not None)
    return ends if len(ends) == 2 else (_LARGE,)


def _typical(band: Band) -> int:
    return round(band.low if band.expected is None else band.expected)
