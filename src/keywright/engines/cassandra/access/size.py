"""Bytes of keys, rows and partitions, by the formats in which a node keeps them.

Evidence: bytes of rows were compared with the files of 5.0.5, to the byte; docs/sizing.md has the loads.
"""

from collections.abc import Iterable

from keywright.access.cost import Band, exactly, total
from keywright.access.extent import elements, text_bytes
from keywright.ir.attribute import Attribute, Many, Map, Scalar, Struct, Type

from ..typemap import native_type
from .layout import Layout
from .relation import Part

CELL_OVERHEAD = 8
"""Bytes that the book counts for each cell. Source: as `book_bytes`."""

FIXED = {
    "boolean": 1, "int": 4, "float": 4, "bigint": 8, "double": 8, "timestamp": 8, "counter": 8, "uuid": 16,
    "timeuuid": 16,
}  # fmt: skip
"""Bytes of the types that carry no length.
Source: https://github.com/apache/cassandra/blob/cassandra-5.0.1/src/java/org/apache/cassandra/db/marshal,
2026-11-21."""

_SHORT = {"date": 4, "time": 8, "smallint": 2, "tinyint": 1}
"""Bytes of the types that carry a length although it never differs. Source: as FIXED."""

_TIMESTAMP_DELTA = Band(1, 6, 8)
"""Bytes of the time at which a row was written, behind that of the first row in its file: 6 up to fifty days."""

_EXPIRY_DELTA = Band(2, 4, 6)
"""Bytes of the time to live and of the moment at which a row is gone, likewise."""

_UNROUNDED = Band(1, 1, 3)
"""Bytes of the size of the row before."""


def vint(value: int) -> int:
    """Bytes of an unsigned number of variable length.

    Source: https://github.com/apache/cassandra/blob/cassandra-5.0.1/src/java/org/apache/cassandra/utils/vint/VIntCoding.java,
    2026-11-21.
    """
    return next((size for size in range(1, 9) if value < 1 << 7 * size), 9)


def cells(rows: float, columns: int, key_columns: int, static_columns: int) -> float:
    """Cells of a partition: `Nr x (Nc - Npk - Ns) + Ns`.

    Source: https://cassandra.apache.org/doc/latest/cassandra/developing/data-modeling/data-modeling_refining.html,
    2026-11-21.
    """
    return rows * (columns - key_columns - static_columns) + static_columns


def book_bytes(key: float, static: float, clustering: float, regular: float, rows: float, cells: float) -> float:
    """Bytes of a partition by the book: for planning, where `partition_bytes` is for sizes.

    Source: as `cells`.
    """
    return key + static + rows * (regular + clustering) + CELL_OVERHEAD * cells


def key_bytes(values: Iterable[int]) -> int:
    """Bytes of a partition key from those of its columns: of several, each has its length before and a sign behind it.

    Source: https://github.com/apache/cassandra/blob/cassandra-5.0.1/src/java/org/apache/cassandra/db/marshal/CompositeType.java,
    2026-11-21.
    """
    sizes = tuple(values)
    return sizes[0] if len(sizes) == 1 else sum(2 + size + 1 for size in sizes)


def head_bytes(key: int) -> int:
    """Bytes of a partition beside its rows: length and text of its key, time of deletion, end.

    Source: as `row_bytes`; formats before "oa", which 5.0 writes by default.
    """
    return 2 + key + 12 + 1


def row_bytes(
    clustering: Iterable[int],
    values: Iterable[int],
    *,
    previous: int,
    timestamp_delta: int,
    expiry_deltas: tuple[int, int] | None = None,
    lacks_columns: bool = False,
) -> int:
    """Bytes of a row, uncompressed.

    clustering, values: bytes of the values that are there, with their lengths where they carry one. previous: bytes of
    the row before, 0 for the first. timestamp_delta: microseconds after the first write in the file. expiry_deltas: the
    time to live and the moment of expiry, in seconds above the least in the file.
    Source: https://github.com/apache/cassandra/blob/cassandra-5.0.1/src/java/org/apache/cassandra/db/rows/UnfilteredSerializer.java,
    2026-11-21.
    """
    body = vint(previous) + vint(timestamp_delta) + sum(map(vint, expiry_deltas or ()))
    body += (1 if lacks_columns else 0) + sum(1 + value for value in values)
    keys = tuple(clustering)
    return 1 + (1 + sum(keys) if keys else 0) + vint(body) + body


def value_bytes(type: Type, native: str, path: str) -> Band:
    """Bytes of a value with its length where it carries one.

    Source: as FIXED; a collection that is not frozen also has a cell for each element.
    """
    if native in FIXED:
        return exactly(FIXED[native])
    bare = _bare(type, native, path)
    if isinstance(type, (Many, Map)) and not native.startswith("frozen<"):
        return bare
    return _with_length(bare)


def _with_length(size: Band) -> Band:
    return size + Band(
        vint(int(size.low)),
        None if size.expected is None else vint(int(size.expected)),
        None if size.high is None else vint(int(size.high)),
        size.missing,
    )


def _bare(type: Type, native: str, path: str) -> Band:
    if native in FIXED or native in _SHORT:
        return exactly(FIXED.get(native) or _SHORT[native])
    match type:
        case Scalar():
            return _scalar(type, native, path)
        case Many() if native.startswith("frozen<"):
            return exactly(4) + elements(type, path) * (exactly(4) + _inner(type.element, path))
        case Many():
            value = _with_length(_inner(type.element, path)) if type.kind == "set" else exactly(17)
            more = exactly(0) if type.kind == "set" else _of_cell(type.element, path)
            return exactly(3) + elements(type, path) * (exactly(1) + value + more)
        case Map() if native.startswith("frozen<"):
            return exactly(4) + elements(type, path) * (exactly(8) + _key_text(path) + _inner(type.value, path))
        case Map():
            return exactly(3) + elements(type, path) * (
                exactly(1) + _with_length(_key_text(path)) + _of_cell(type.value, path)
            )
        case Struct():
            return total([exactly(4) + _attribute(one, path) for one in type.attributes])


def _attribute(one: Attribute, path: str) -> Band:
    size = _inner(one.type, f"{path}.{one.name}")
    return size.widest(exactly(0)) if one.is_nullable else size


def _inner(type: Type, path: str) -> Band:
    return _bare(type, native_type(type, is_frozen=not isinstance(type, Scalar)), path)


def _of_cell(type: Type, path: str) -> Band:
    return value_bytes(type, native_type(type, is_frozen=not isinstance(type, Scalar)), path)


def _key_text(path: str) -> Band:
    return text_bytes(Scalar("string"), f"{path} (its keys)")


def _scalar(type: Scalar, native: str, path: str) -> Band:
    match native:
        case "text" | "ascii":
            return text_bytes(type, path)
        case "varint":
            return Band(1, 5, 16)
        case "decimal":
            # Four bytes of scale, and the digits as a number of two to the power of eight.
            digits = type.max_digits
            return Band(5, 8, 5 + (digits or 38) * 0.42)
        case "inet":
            return Band(4, 4, 16)
        case "duration":
            return Band(3, 10, 27)
        case "blob":
            return text_bytes(type, path)
        case _:
            return text_bytes(type, path)


def part_bytes(known: Layout, part: Part, entity: str) -> Band:
    """Bytes of the value of a column, with its length where it carries one."""
    kind = part.cell.type
    if kind is not None:
        return value_bytes(kind, part.cell.native, f"{entity}.{part.cell.field}")
    if part.template is None:
        return exactly(FIXED.get(part.cell.native, 8))
    return _with_length(template_bytes(known, part, entity))


def template_bytes(known: Layout, part: Part, entity: str) -> Band:
    """Bytes of a computed text."""
    assert part.template is not None
    found = exactly(0)
    for piece in part.template.parts:
        if isinstance(piece, str):
            found = found + exactly(len(piece.encode()))
            continue
        attribute = next((one for one in known.attributes if one.name == piece.path), None)
        if piece.width is not None:
            found = found + exactly(piece.width)
        elif attribute is not None and isinstance(attribute.type, Scalar):
            found = found + text_bytes(attribute.type, f"{entity}.{piece.path}")
    return found


def row_band(known: Layout, entity: str) -> Band:
    """Bytes of a row of the table, its clustering columns included and its partition key left out."""
    keys = {part.name for part in known.keys}
    clustering = total([part_bytes(known, part, entity) for part in known.table.clustering])
    body = _UNROUNDED + _TIMESTAMP_DELTA
    if known.is_expiring or known.ttl is not None:
        body = body + _EXPIRY_DELTA
    nullable = {one.name for one in known.attributes if one.is_nullable}
    for part in known.parts.values():
        if part.name not in keys and part.name not in known.statics:
            size = exactly(1) + part_bytes(known, part, entity)
            body = body + (size.widest(exactly(0)) if part.cell.field in nullable else size)
    head = 2 if known.table.clustering else 1
    return exactly(head) + clustering + _with_length(body)


def key_band(known: Layout, entity: str) -> Band:
    """Bytes of the partition key."""
    sizes = [_key_part(known, part, entity) for part in known.table.partition]
    return sizes[0] if len(sizes) == 1 else total([exactly(3) + size for size in sizes])


def _key_part(known: Layout, part: Part, entity: str) -> Band:
    kind = part.cell.type
    if kind is not None:
        return _bare(kind, part.cell.native, f"{entity}.{part.cell.field}")
    return template_bytes(known, part, entity) if part.template is not None else exactly(8)
