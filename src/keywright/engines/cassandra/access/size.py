"""Bytes of keys, rows and partitions in the storage formats of a node.

Evidence: row sizes equal the files of 5.0.5 to the byte; docs/sizing.md lists the datasets.
"""

from collections.abc import Iterable

from keywright.access.cost import Band, exactly, total
from keywright.access.extent import elements, sized, text_bytes
from keywright.ir.attribute import Attribute, Many, Map, Scalar, Struct, Tuple, Type

from ..schema.typemap import as_tuple, element_type, is_collection, native_type
from .layout import Layout
from .relation import RelationColumn

CELL_OVERHEAD = 8
"""Bytes that the documented formula counts for each cell. Source: as `book_bytes`."""

FIXED = {
    "boolean": 1, "int": 4, "float": 4, "bigint": 8, "double": 8, "timestamp": 8, "counter": 8, "uuid": 16,
    "timeuuid": 16,
}  # fmt: skip
"""Bytes of the types that are stored without a length.
Source: https://github.com/apache/cassandra/blob/cassandra-5.0.1/src/java/org/apache/cassandra/db/marshal,
2026-11-21."""

_SHORT = {"date": 4, "time": 8, "smallint": 2, "tinyint": 1}
"""Bytes of the types that are stored with a length although it is constant. Source: as FIXED."""

_TIMESTAMP_DELTA = Band(1, 6, 8)
"""Bytes of the write time of a row, relative to the first row in its file: 6 up to fifty days."""

_EXPIRY_DELTA = Band(2, 4, 6)
"""Bytes of the time to live and of the expiry time of a row, also relative."""

_UNROUNDED = Band(1, 1, 3)
"""Bytes of the size of the previous row."""


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
    """Bytes of a partition by the documented formula, for planning.

    Source: as `cells`.
    """
    return key + static + rows * (regular + clustering) + CELL_OVERHEAD * cells


def key_bytes(values: Iterable[int]) -> int:
    """Bytes of a partition key from those of its columns. Each of several has its length before and a byte behind it.

    Source: https://github.com/apache/cassandra/blob/cassandra-5.0.1/src/java/org/apache/cassandra/db/marshal/CompositeType.java,
    2026-11-21.
    """
    sizes = tuple(values)
    return sizes[0] if len(sizes) == 1 else sum(2 + size + 1 for size in sizes)


def head_bytes(key: int) -> int:
    """Bytes of a partition without its rows: length and text of its key, deletion time, end.

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

    clustering, values: bytes of the present values, including lengths where they are stored. previous: bytes of the
    previous row, 0 for the first. timestamp_delta: microseconds after the first write in the file. expiry_deltas: the
    time to live and the expiry time, in seconds above the smallest in the file.
    Source: https://github.com/apache/cassandra/blob/cassandra-5.0.1/src/java/org/apache/cassandra/db/rows/UnfilteredSerializer.java,
    2026-11-21.
    """
    body = vint(previous) + vint(timestamp_delta) + sum(map(vint, expiry_deltas or ()))
    body += (1 if lacks_columns else 0) + sum(1 + value for value in values)
    sizes = tuple(clustering)
    return 1 + (1 + sum(sizes) if sizes else 0) + vint(body) + body


def value_bytes(type: Type, native: str, path: str) -> Band:
    """Bytes of a value, including its length where one is stored.

    Source: as FIXED; a collection that is not frozen also has a cell for each element.
    """
    if native in FIXED:
        return exactly(FIXED[native])
    if native.startswith("vector<float,"):
        return _without_length(type, native, path)
    size = _without_length(type, native, path)
    if is_collection(type) and not native.startswith("frozen<"):
        return size
    return _with_length(size)


def _with_length(size: Band) -> Band:
    return size + Band(
        vint(int(size.low)),
        None if size.expected is None else vint(int(size.expected)),
        None if size.high is None else vint(int(size.high)),
        size.missing,
    )


def _without_length(type: Type, native: str, path: str) -> Band:
    if native in FIXED or native in _SHORT:
        return exactly(FIXED.get(native) or _SHORT[native])
    if isinstance(type, Scalar):
        return _scalar(type, native, path)
    return sized(type, _composed(type, native, path))


def _composed(type: Many | Tuple | Map | Struct, native: str, path: str) -> Band:
    """Bytes of a value by those of its parts, without its length."""
    match type:
        case Many(is_vector=True):
            size = _element(type, path)
            return exactly(type.max_items or 0) * (size if element_type(type) in FIXED else _with_length(size))
        case Many(is_tuple=True):
            return _composed(as_tuple(type), native, path)
        case Tuple():
            return total([exactly(4) + _inner(element, path) for element in type.elements])
        case Many() if native.startswith("frozen<"):
            return exactly(4) + elements(type, path) * (exactly(4) + _inner(type.element, path))
        case Many():
            value = _with_length(_inner(type.element, path)) if type.kind == "set" else exactly(17)
            element_value = exactly(0) if type.kind == "set" else _of_cell(type.element, path)
            return exactly(3) + elements(type, path) * (exactly(1) + value + element_value)
        case Map() if native.startswith("frozen<"):
            return exactly(4) + elements(type, path) * (exactly(8) + _key(type, path) + _inner(type.value, path))
        case Map():
            return exactly(3) + elements(type, path) * (
                exactly(1) + _with_length(_key(type, path)) + _of_cell(type.value, path)
            )
        case Struct():
            return total([exactly(4) + _attribute(attribute, path) for attribute in type.attributes])


def _element(type: Many, path: str) -> Band:
    return _without_length(type.element, element_type(type), path)


def _attribute(attribute: Attribute, path: str) -> Band:
    size = _inner(attribute.type, f"{path}.{attribute.name}")
    return size.widest(exactly(0)) if attribute.is_nullable else size


def _inner(type: Type, path: str) -> Band:
    native = native_type(type, is_frozen=not isinstance(type, Scalar))
    is_whole = isinstance(type, Scalar) or native.startswith("frozen<")
    return _without_length(type, native if is_whole else f"frozen<{native}>", path)


def _of_cell(type: Type, path: str) -> Band:
    return value_bytes(type, native_type(type, is_frozen=not isinstance(type, Scalar)), path)


def _key(type: Map, path: str) -> Band:
    return _inner(type.key, f"{path} (its keys)")


def _scalar(type: Scalar, native: str, path: str) -> Band:
    match native:
        case "text" | "ascii":
            return text_bytes(type, path)
        case "varint":
            return Band(1, 5, 16)
        case "decimal":
            # Four bytes of scale, and the digits as a binary number.
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


def part_bytes(layout: Layout, part: RelationColumn, entity: str) -> Band:
    """Bytes of the value of a column, including its length where one is stored."""
    kind = part.cell.type
    if kind is not None:
        return value_bytes(kind, part.cell.native, f"{entity}.{part.cell.field}")
    if part.template is None:
        return exactly(FIXED.get(part.cell.native, 8))
    return _with_length(template_bytes(layout, part, entity))


def template_bytes(layout: Layout, part: RelationColumn, entity: str) -> Band:
    """Bytes of a computed text."""
    assert part.template is not None
    band = exactly(0)
    for piece in part.template.parts:
        if isinstance(piece, str):
            band = band + exactly(len(piece.encode()))
            continue
        attribute = next((field for field in layout.attributes if field.name == piece.path), None)
        if piece.width is not None:
            band = band + exactly(piece.width)
        elif attribute is not None and isinstance(attribute.type, Scalar):
            band = band + text_bytes(attribute.type, f"{entity}.{piece.path}")
    return band


def row_band(layout: Layout, entity: str) -> Band:
    """Bytes of a row with its clustering columns, without its partition key."""
    keys = {part.name for part in layout.keys}
    clustering = total([part_bytes(layout, part, entity) for part in layout.table.clustering])
    body = _UNROUNDED + _TIMESTAMP_DELTA
    if layout.is_expiring or layout.ttl is not None:
        body = body + _EXPIRY_DELTA
    nullable = {attribute.name for attribute in layout.attributes if attribute.is_nullable}
    for part in layout.parts.values():
        if part.name not in keys and part.name not in layout.statics:
            size = exactly(1) + part_bytes(layout, part, entity)
            body = body + (size.widest(exactly(0)) if part.cell.field in nullable else size)
    head = 2 if layout.table.clustering else 1
    return exactly(head) + clustering + _with_length(body)


def key_band(layout: Layout, entity: str) -> Band:
    """Bytes of the partition key."""
    sizes = [_key_part(layout, part, entity) for part in layout.table.partition]
    return sizes[0] if len(sizes) == 1 else total([exactly(3) + size for size in sizes])


def _key_part(layout: Layout, part: RelationColumn, entity: str) -> Band:
    kind = part.cell.type
    if kind is not None:
        return _without_length(kind, part.cell.native, f"{entity}.{part.cell.field}")
    return template_bytes(layout, part, entity) if part.template is not None else exactly(8)
