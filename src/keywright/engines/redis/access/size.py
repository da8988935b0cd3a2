"""Memory of keys and values, by structure and encoding.

The figures are those of 64-bit servers with jemalloc. Source of the formulas, unless a docstring names another:
https://github.com/redis/redis/tree/7.4/src (sds.h, dict.h, listpack.c, t_zset.c, object.c) and
https://jemalloc.net/jemalloc.3.html, 2026-11-21; docs/sizing.md explains them and lists the measurements.
"""

from collections.abc import Sequence
from functools import lru_cache
from math import exp
from typing import Literal, TypeAlias

Allocator: TypeAlias = Literal["bundled", "system", "libc"]
"""The jemalloc in the source tree, with classes of 24, 40 and 56 bytes; that of a distribution, without these classes;
or the malloc of glibc, which `INFO memory` reports as `libc`."""

HASH_ENTRIES, SORTED_SET_ENTRIES, SET_ENTRIES, INTSET_ENTRIES, ELEMENT_BYTES = 512, 128, 128, 512, 64
"""Limits of a compact block: entries of each structure, and bytes of one entry. Source: redis.conf 7.4,
https://github.com/redis/redis/blob/7.4/redis.conf, 2026-11-21."""

EMBEDDED_BYTES = 44
"""The longest text in one block with its object. Source: object.c, OBJ_ENCODING_EMBSTR_SIZE_LIMIT, 2026-11-21."""

NODE_BYTES, STREAM_NODE_BYTES, STREAM_NODE_ENTRIES = 8_192, 4_096, 100
"""Bytes of a node of a list, and bytes and entries of one of a stream. Source: redis.conf 7.4, as above,
list-max-listpack-size and stream-node-max, 2026-11-23."""

_BUCKET_ENTRIES = 7
"""Entries of a bucket of Valkey's table. Source: hashtable.c of Valkey 9.1, 2026-11-22."""

_VALUE_BYTES = 128
"""The largest block that contains both a field and its value, in bytes. Source: entry.h of Valkey 9.1,
EMBED_VALUE_MAX_ALLOC_SIZE, https://github.com/valkey-io/valkey/tree/9.1/src, 2026-11-23."""

_RADIX = 72
"""Bytes of a stream's index for each of its nodes, measured on Redis 7.0 and Valkey 9.1, 2026-11-23."""

HYPERLOGLOG_BYTES = 12_304
"""A dense HyperLogLog: a header of 16 bytes and 16,384 registers of 6 bits. Source: hyperloglog.c, 2026-11-21."""


def size_class(size: float, allocator: Allocator = "bundled") -> int:
    """Bytes that an allocator reserves for a request.

    jemalloc: multiples of 8 or 16 up to 128, then four classes for each doubling. glibc: 8 less than a
    multiple of 16, 24 at the least; source: https://sourceware.org/glibc/wiki/MallocInternals, 2026-11-22.
    """
    if allocator == "libc":
        return max(24, (int(size) + 8 + 15) // 16 * 16 - 8)
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
    """Bytes of a text with its header and the final zero, before the allocator rounds up. Source: sds.h."""
    header = 1 if length < 32 else 3 if length < 256 else 5 if length < 65_536 else 9
    return length + 1 + header


def key_memory(
    length: int, *, has_ttl: bool = False, allocator: Allocator = "bundled", is_embedded: bool = False
) -> int:
    """Bytes of a key: its entry, its text and the entry of its expiry; without its share of the tables.

    is_embedded: the object of the value contains the key and the expiry, as in Valkey from 8.1 on.
    """
    if is_embedded:
        object_bytes = 16 + 1 + text_size(length) + (8 if has_ttl else 0)
        return size_class(object_bytes, allocator) - size_class(16, allocator)
    entry = size_class(24, allocator)
    return entry + size_class(text_size(length), allocator) + (entry if has_ttl else 0)


def bucket_share(keys: int, *, is_embedded: bool = False) -> float:
    """Bytes of the main table for each key: buckets have eight bytes, and their number is the next power of two.

    is_embedded: buckets of 64 bytes contain seven keys, as in Valkey from 8.1 on.
    """
    if is_embedded:
        return _buckets(keys) / keys
    return 8 * _power_of_two(keys) / keys


def string_memory(length: int | None, allocator: Allocator = "bundled") -> int:
    """Bytes of a string value without its key; length None: an integer of 64 bits."""
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
    """Bytes of a text of `length` bytes in a compact block."""
    return length + (2 if length < 64 else 3 if length < 126 else 4)


def listpack_memory(entries: int, allocator: Allocator = "bundled") -> int:
    """Bytes of a compact block; entries: the bytes of all its entries."""
    return size_class(16, allocator) + size_class(7 + entries, allocator)


def hash_memory(
    fields: int, name: int, value: int, allocator: Allocator = "bundled", *, is_embedded: bool = False
) -> float:
    """Bytes of a hash without its key; name, value: the lengths of each field's name and value."""
    each = name, value, listpack_text(value)
    return fields_memory((each,) * fields, allocator, is_embedded=is_embedded)


def fields_memory(
    fields: Sequence[tuple[int, int, int]], allocator: Allocator = "bundled", *, is_embedded: bool = False
) -> float:
    """Bytes of a hash without its key.

    fields: for each field the lengths of its name and its value, and the bytes of the value in a compact block.
    is_embedded: entries contain their texts, in a table with buckets of 64 bytes, as in Valkey from 8.1 on.
    """
    if len(fields) <= HASH_ENTRIES and all(max(name, value) <= ELEMENT_BYTES for name, value, _ in fields):
        return listpack_memory(sum(listpack_text(name) + packed for name, _, packed in fields), allocator)
    if is_embedded:
        return _hashtable(len(fields), allocator) + sum(_entry(name, value, allocator) for name, value, _ in fields)
    return _table(len(fields), allocator) + sum(
        size_class(24, allocator) + size_class(text_size(name), allocator) + size_class(text_size(value), allocator)
        for name, value, _ in fields
    )


def _entry(name: int, value: int, allocator: Allocator) -> int:
    """Bytes of a field in Valkey's table: one block with its value, or two blocks if one would be too long.

    Source: entry.c, as above.
    """
    both = text_size(name) + value + 4
    if both <= _VALUE_BYTES:
        return size_class(both, allocator)
    return size_class(8 + max(name + 4, text_size(name)), allocator) + size_class(text_size(value), allocator)


def set_memory(
    members: int,
    length: int,
    allocator: Allocator = "bundled",
    *,
    has_listpack: bool = False,
    is_embedded: bool = False,
) -> float:
    """Bytes of a set of texts.

    has_listpack: small sets are compact blocks, from version 7.2 on. is_embedded: see `fields_memory`.
    """
    if has_listpack and members <= SET_ENTRIES and length <= ELEMENT_BYTES:
        return listpack_memory(members * listpack_text(length), allocator)
    if is_embedded:
        return _hashtable(members, allocator) + members * size_class(text_size(length), allocator)
    return _table(members, allocator) + members * (size_class(24, allocator) + size_class(text_size(length), allocator))


def intset_memory(members: int, width: Literal[2, 4, 8], allocator: Allocator = "bundled") -> int:
    """Bytes of a set of integers, each of `width` bytes. Source: intset.c."""
    return size_class(16, allocator) + size_class(8 + members * width, allocator)


def list_memory(elements: int, length: int, allocator: Allocator = "bundled", *, has_listpack: bool = False) -> int:
    """Bytes of a list of texts: nodes are compact blocks of up to 8 KB; a longer text has a node of its own.

    has_listpack: a list of one node consists of its block alone, from version 7.2 on. Source: quicklist.c and t_list.c,
    https://github.com/redis/redis/tree/7.4/src, 2026-11-23.
    """
    each = listpack_text(length)
    capacity = max(1, (NODE_BYTES - 11) // each)
    if has_listpack and elements <= capacity and each <= NODE_BYTES:
        return listpack_memory(elements * each, allocator)
    nodes, remainder = divmod(elements, capacity)
    blocks = nodes * size_class(7 + capacity * each, allocator) + (
        size_class(7 + remainder * each, allocator) if remainder else 0
    )
    index = (nodes + bool(remainder)) * size_class(32, allocator)
    return size_class(16, allocator) + size_class(40, allocator) + index + blocks


def stream_memory(entries: int, fields: Sequence[tuple[int, int, int]], allocator: Allocator = "bundled") -> int:
    """Bytes of a stream whose entries have the same fields, without groups: nodes of up to 4 KB or 100 entries.

    A node contains the names once. The last node is allocated with its full 4 KB. fields: see `fields_memory`.
    Source: t_stream.c, streamAppendItem, https://github.com/redis/redis/tree/7.4/src, 2026-11-23.
    """
    head = 7 + 8 + sum(listpack_text(name) for name, _, _ in fields)
    each = 9 + sum(packed for _, _, packed in fields)
    total = sum(name + value for name, value, _ in fields)
    capacity = min(STREAM_NODE_ENTRIES, 1 + max(0, STREAM_NODE_BYTES - 1 - head - total) // each)
    full = (entries - 1) // capacity
    nodes = full * size_class(head + capacity * each, allocator)
    last = size_class(max(STREAM_NODE_BYTES, head + (entries - full * capacity) * each), allocator)
    fixed = sum(size_class(part, allocator) for part in (16, 88, 24))
    return fixed + nodes + last + (full + 1) * _RADIX


def sorted_set_memory(
    members: int, length: int, score: float, allocator: Allocator = "bundled", *, is_embedded: bool = False
) -> float:
    """Bytes of a sorted set.

    score: average bytes of a score in a compact block, by `listpack_entry`. is_embedded: nodes contain their member,
    and the table keeps nodes in buckets of 64 bytes, as in Valkey from 8.1 on; source: hashtable.c and t_zset.c,
    https://github.com/valkey-io/valkey/tree/9.1/src, 2026-11-22.
    """
    if members <= SORTED_SET_ENTRIES and length <= ELEMENT_BYTES:
        return listpack_memory(round(members * (listpack_text(length) + score)), allocator)
    fixed = size_class(16, allocator) + size_class(32, allocator) + size_class(536, allocator)
    if is_embedded:
        return fixed + _hashtable(members, allocator) + members * _node(allocator, 16 + 1 + text_size(length))
    return (
        fixed
        + _table(members, allocator)
        + members * (size_class(24, allocator) + size_class(text_size(length), allocator) + _node(allocator))
    )


def _hashtable(entries: int, allocator: Allocator) -> float:
    """Bytes of Valkey's table without its entries."""
    return size_class(80, allocator) + _buckets(entries)


def _buckets(entries: int) -> float:
    """Bytes of the buckets of Valkey's table, with the buckets that are chained to full ones."""
    buckets = 1 << (-(-entries // _BUCKET_ENTRIES) - 1).bit_length()
    return 64 * buckets * (1 + (_chained(entries / buckets) if buckets > 1 else 0))


@lru_cache
def _chained(fill: float) -> float:
    """Average number of buckets chained to a bucket; a full bucket gives up an entry for the link.

    fill: the average number of entries of a bucket.
    """
    probability, chained = exp(-fill), 0.0
    for entries in range(1, 64):
        probability *= fill / entries  # a Poisson distribution
        chained += probability * max(0, -(-(entries - _BUCKET_ENTRIES) // (_BUCKET_ENTRIES - 1)))
    return chained


def _table(entries: int, allocator: Allocator) -> int:
    return size_class(16, allocator) + size_class(56, allocator) + size_class(8 * _power_of_two(entries), allocator)


@lru_cache
def _node(allocator: Allocator, own: int = 24) -> float:
    """Average bytes of a node of a skiplist: each further level exists with a probability of a quarter.

    own: bytes of the node without its levels.
    """
    return sum(0.75 * 0.25 ** (level - 1) * size_class(own + 16 * level, allocator) for level in range(1, 33))


def _power_of_two(number: int) -> int:
    return 1 << max(2, (number - 1).bit_length())
