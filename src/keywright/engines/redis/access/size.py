"""How large things are: bytes of keys and values by their types, and memory by structure and encoding.

Memory is that of 64-bit servers whose allocator is jemalloc. Source of the formulas, unless a docstring says another:
https://github.com/redis/redis/tree/7.4/src (sds.h, dict.h, listpack.c, t_zset.c, object.c) and
https://jemalloc.net/jemalloc.3.html, 2026-11-21; docs/sizing.md explains them, and what was measured.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Literal, TypeAlias

from keywright.access.cost import NOTHING, Band, exactly, total
from keywright.access.extent import elements, text_bytes
from keywright.ir.attribute import Attribute, Many, Map, Scalar, Struct, Type
from keywright.ir.entity import resolve
from keywright.ir.template import Template

from .held import Held

Allocator: TypeAlias = Literal["bundled", "system"]
"""The jemalloc that comes with the source, with classes of 24, 40 and 56 bytes, or that of a distribution, without."""

HASH_ENTRIES, SORTED_SET_ENTRIES, SET_ENTRIES, INTSET_ENTRIES, ELEMENT_BYTES = 512, 128, 128, 512, 64
"""Up to so many entries, none longer than so many bytes, a structure is one compact block. Source: redis.conf 7.4,
https://github.com/redis/redis/blob/7.4/redis.conf, 2026-11-21."""

EMBEDDED_BYTES = 44
"""The longest text that stands beside its object. Source: object.c, OBJ_ENCODING_EMBSTR_SIZE_LIMIT, 2026-11-21."""

HYPERLOGLOG_BYTES = 12_304
"""A dense HyperLogLog: 16,384 registers of 6 bits behind a header of 16 bytes. Source: hyperloglog.c, 2026-11-21."""

_ESCAPED = 6
"""Bytes of a character in JSON at the most: a control character is written as \\u0000. Source: RFC 8259, section 7."""


def size_class(size: float, allocator: Allocator = "bundled") -> int:
    """Bytes that jemalloc gives for a request: multiples of 8 or 16 up to 128, then four classes for each doubling."""
    step = 8 if allocator == "bundled" else 16
    if size <= 8:
        return 8
    if size <= 64:
        return -(-int(size) // step) * step
    if size <= 128:
        return -(-int(size) // 16) * 16
    group = 1 << (int(size) - 1).bit_length()  # the power of two that is not smaller
    spacing = group // 8
    return -(-int(size) // spacing) * spacing


def text_size(length: int) -> int:
    """Bytes of a text of so many bytes with its header and the final zero, before the allocator. Source: sds.h."""
    header = 1 if length < 32 else 3 if length < 256 else 5 if length < 65_536 else 9
    return length + 1 + header


def key_memory(length: int, *, has_ttl: bool = False, allocator: Allocator = "bundled") -> int:
    """Bytes of a key: its entry and its text, and the entry that says when it ends; without its share of the tables."""
    entry = size_class(24, allocator)
    return entry + size_class(text_size(length), allocator) + (entry if has_ttl else 0)


def bucket_share(keys: int) -> float:
    """Bytes of the main table for each key: eight for a bucket, and there are as many as the next power of two."""
    return 8 * _power_of_two(keys) / keys


def string_memory(length: int | None, allocator: Allocator = "bundled") -> int:
    """Bytes of a string value besides its key; length None: a whole number of 64 bits."""
    if length is None:
        return size_class(16, allocator)
    if length <= EMBEDDED_BYTES:
        return size_class(16 + 3 + length + 1, allocator)
    return size_class(16, allocator) + size_class(text_size(length), allocator)


def listpack_entry(value: int | bytes | str) -> int:
    """Bytes of one entry of a compact block: a number, or a text. Source: listpack.c, lpEncodeGetType."""
    if isinstance(value, int):
        ranges = ((0, 127, 2), (-(2**12), 2**12 - 1, 3), (-(2**15), 2**15 - 1, 4), (-(2**23), 2**23 - 1, 5),
                  (-(2**31), 2**31 - 1, 6))  # fmt: skip
        return next((size for low, high, size in ranges if low <= value <= high), 10)
    return listpack_text(len(value.encode() if isinstance(value, str) else value))


def listpack_text(length: int) -> int:
    """Bytes of a text of so many bytes in a compact block."""
    return length + (2 if length < 64 else 3 if length < 126 else 4)


def listpack_memory(entries: int, allocator: Allocator = "bundled") -> int:
    """Bytes of a compact block whose entries have so many together."""
    return size_class(16, allocator) + size_class(7 + entries, allocator)


def hash_memory(fields: int, name: int, value: int, allocator: Allocator = "bundled") -> float:
    """Bytes of a hash of so many fields with names and values of such lengths, besides its key."""
    return fields_memory(((name, value),) * fields, allocator)


def fields_memory(pairs: Sequence[tuple[int, int]], allocator: Allocator = "bundled") -> float:
    """Bytes of a hash with fields of such names and values, besides its key."""
    if len(pairs) <= HASH_ENTRIES and all(max(pair) <= ELEMENT_BYTES for pair in pairs):
        return listpack_memory(sum(listpack_text(name) + listpack_text(value) for name, value in pairs), allocator)
    return _table(len(pairs), allocator) + sum(
        size_class(24, allocator) + size_class(text_size(name), allocator) + size_class(text_size(value), allocator)
        for name, value in pairs
    )


def set_memory(members: int, length: int, allocator: Allocator = "bundled", *, has_listpack: bool = False) -> float:
    """Bytes of a set of texts; has_listpack: from version 7.2 on small ones are compact blocks."""
    if has_listpack and members <= SET_ENTRIES and length <= ELEMENT_BYTES:
        return listpack_memory(members * listpack_text(length), allocator)
    return _table(members, allocator) + members * (size_class(24, allocator) + size_class(text_size(length), allocator))


def intset_memory(members: int, width: Literal[2, 4, 8], allocator: Allocator = "bundled") -> int:
    """Bytes of a set of whole numbers, each of so many bytes. Source: intset.c."""
    return size_class(16, allocator) + size_class(8 + members * width, allocator)


def sorted_set_memory(members: int, length: int, score: int, allocator: Allocator = "bundled") -> float:
    """Bytes of a sorted set; score: bytes of a score in a compact block, as `listpack_entry` tells."""
    if members <= SORTED_SET_ENTRIES and length <= ELEMENT_BYTES:
        return listpack_memory(members * (listpack_text(length) + score), allocator)
    fixed = size_class(16, allocator) + size_class(32, allocator) + size_class(536, allocator)
    return (
        fixed
        + _table(members, allocator)
        + members * (size_class(24, allocator) + size_class(text_size(length), allocator) + _node(allocator))
    )


def _table(entries: int, allocator: Allocator) -> int:
    return size_class(16, allocator) + size_class(56, allocator) + size_class(8 * _power_of_two(entries), allocator)


@lru_cache
def _node(allocator: Allocator) -> float:
    """Bytes of a node of a skiplist on average: each further level is there in a quarter of the cases."""
    return sum(0.75 * 0.25 ** (level - 1) * size_class(24 + 16 * level, allocator) for level in range(1, 33))


def _power_of_two(number: int) -> int:
    return 1 << max(2, (number - 1).bit_length())


# Sizes by types: what goes over the wire.


def key_bytes(found: Held) -> Band:
    """Bytes of a key of the entity."""
    return exactly(len(found.prefix)) + template_bytes(found.key, found)


def template_bytes(template: Template, found: Held) -> Band:
    """Bytes of the text that a template writes."""
    parts: list[Band] = []
    for part in template.parts:
        if isinstance(part, str):
            parts.append(exactly(len(part.encode())))
        elif part.width is not None:
            parts.append(exactly(part.width))
        else:
            path = resolve(found.attributes, part.path)
            kind = path[-1].type if path else None
            braces = exactly(2 if part.is_tag else 0)
            name = f"{found.structure.entity}.{part.path}"
            parts.append(braces + (text_bytes(kind, name) if isinstance(kind, Scalar) else Band(0, None, None)))
    return total(parts)


def item_bytes(found: Held, fields: Iterable[str] | None = None) -> Band:
    """Bytes of what is answered for one item, besides its key; fields: stored names of those that are read."""
    name = found.structure.entity
    match found.kind:
        case "set" | "hyperloglog" if found.member:
            return template_bytes(found.member, found)
        case "sorted set" if found.member:
            return template_bytes(found.member, found) + Band(1, 10, 24)  # a double in up to 17 digits
        case "geo" if found.member:
            return template_bytes(found.member, found) + Band(20, 36, 44)
        case "bitmap" | "rate limit":
            return exactly(1)
    attribute = found.attribute(found.value) if found.value else None
    if attribute is not None:
        return value_bytes(attribute.type, f"{name}.{attribute.name}")
    wanted = None if fields is None else set(fields)
    kept = [one for one in found.stored if wanted is None or one.stored in wanted]
    if found.kind in ("hash", "stream"):
        return total([_field(one, name, value_bytes, 0) for one in kept])
    return total([_field(one, name, json_bytes, 4) for one in kept]) + exactly(2)


def _field(attribute: Attribute, entity: str, size: Callable[[Type, str], Band], signs: int) -> Band:
    """Bytes of a field with its name; signs: quotes, colon and comma around it."""
    named = exactly(len(attribute.stored.encode()) + signs)
    present = named + size(attribute.type, f"{entity}.{attribute.name}")
    return present.widest(NOTHING) if attribute.is_nullable else present


def value_bytes(kind: Type, path: str) -> Band:
    """Bytes of a value that stands by itself."""
    return text_bytes(kind, path) if isinstance(kind, Scalar) and kind.kind != "json" else json_bytes(kind, path)


def json_bytes(kind: Type, path: str) -> Band:
    """Bytes of a value inside JSON."""
    match kind:
        case Scalar():
            return _json_scalar(kind, path)
        case Many():
            return exactly(2) + elements(kind, path) * (json_bytes(kind.element, path) + exactly(1))
        case Map():
            unknown = Band(4, 14, None, frozenset((f"{path}: keys of a bounded length",)))
            return exactly(2) + elements(kind, path) * (json_bytes(kind.value, path) + unknown)
        case Struct():
            return exactly(2) + total([_field(one, path, json_bytes, 4) for one in kind.attributes])


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
