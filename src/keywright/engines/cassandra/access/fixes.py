"""Proposes secondary indexes for patterns that nothing serves.

Materialized views are experimental and off by default on servers, so none is proposed. A second table that is keyed for
the query is a model of its own, not a line to paste.
"""

import re
from collections.abc import Iterator

from keywright.access.path import PatternFix
from keywright.access.query import Condition, request
from keywright.ir.attribute import Many, Scalar, is_vector
from keywright.ir.binding import Binding
from keywright.ir.pattern import Pattern
from keywright.record import replace

from ..declare.options import CqlTable
from ..schema.capabilities import NAME_LENGTH, NAME_PATTERN
from ..schema.cql import identifier
from ..schema.place import GENERATION
from ..schema.table_options import options_map
from ..schema.target import IndexTarget, KeyspaceTarget
from .calls import Cell
from .layout import Layout, layout
from .order import is_collection
from .paths.index import answers_range
from .paths.key_match import keyed
from .paths.plan import key_fields
from .relation import RelationColumn
from .size import part_bytes

GLOBAL_PER_SECOND = 10
"""Most queries per second of an index without a partition, because every node takes part in each. Our own figure."""

POSTING_BYTES = 8
"""Bytes of the row number of an entry in a storage-attached index, before compression.
Source: https://cassandra.apache.org/doc/latest/cassandra/developing/cql/indexing/sai/sai-concepts.html, 2026-11-21."""


def fixes(target: KeyspaceTarget, binding: Binding[CqlTable], pattern: Pattern) -> Iterator[PatternFix[KeyspaceTarget]]:
    """See `Engine.fixes`. The search tries each fix, because something else may be missing."""
    entity_layout = layout(target, binding)
    if (
        entity_layout is None
        or pattern.kind not in ("get", "read", "count")
        or entity_layout.counters
        or not _has_indexes(entity_layout)
    ):
        return
    query = request(pattern, key_fields(target, binding))
    is_global = isinstance(keyed(entity_layout.table, query, entity_layout.attributes), str)
    if is_global and (pattern.load.peak_per_second or pattern.load.per_second or 0) > GLOBAL_PER_SECOND:
        return
    using = "sai" if _may_have_sai(target) else "legacy"
    taken = {index.name for index in target.indexes}
    for condition in query.conditions:
        part = entity_layout.parts.get(condition.field)
        if part is None or not _can_serve(entity_layout, part, condition, using) or _is_indexed(entity_layout, part):
            continue
        index = _index(entity_layout, part, using)
        if index.name not in taken and len(index.name) <= NAME_LENGTH.value:
            yield _fix(target, binding, entity_layout, part, index)


def _fix(
    target: KeyspaceTarget, binding: Binding[CqlTable], entity_layout: Layout, part: RelationColumn, index: IndexTarget
) -> PatternFix[KeyspaceTarget]:
    argument = "" if index.using == "sai" else f', using="{index.using}"'
    size = part_bytes(entity_layout, part, binding.entity.name)
    return PatternFix(
        text=f'kw.CqlIndex("{part.cell.field}"{argument})',
        subject=binding.name,
        argument="indexes",
        target=replace(target, indexes=tuple(sorted((*target.indexes, index), key=lambda other: other.name))),
        write_cost=1,
        stored_bytes=POSTING_BYTES + (size.low if size.expected is None else size.expected),
    )


def _index(entity_layout: Layout, part: RelationColumn, using: str) -> IndexTarget:
    """The index that lowering and placing would produce."""
    suffix = GENERATION.search(entity_layout.table.name)
    declared = GENERATION.sub("", entity_layout.table.name)
    column = identifier(part.name)
    plain = re.sub(r"\W", "_", part.name, flags=re.ASCII)
    name = f"{declared}_{plain}_idx"
    indexed = f"values({column})" if is_collection(part.cell) else column
    return IndexTarget(name + (suffix[0] if suffix else ""), entity_layout.table.name, indexed, using)


def _can_serve(entity_layout: Layout, part: RelationColumn, condition: Condition, using: str) -> bool:
    """Whether a column can be indexed and the index would answer a condition."""
    cell = part.cell
    if is_vector(cell.type):
        return condition.kind == "near" and using == "sai" and _has_angle(cell)
    if condition.constants is not None and None in condition.constants:
        return False  # no index finds rows without a value
    if part.name in entity_layout.statics or (
        part in entity_layout.table.partition and len(entity_layout.table.partition) == 1
    ):
        return False
    if using == "sai" and (cell.native == "blob" or not re.fullmatch(NAME_PATTERN, part.name)):
        return False
    if isinstance(cell.type, Many):
        element = cell.type.element
        is_plain = isinstance(element, Scalar) and element.kind not in ("duration", "bytes")
        return (
            is_plain and not cell.native.startswith("frozen<") and condition.kind in ("contains", "all_of", "exactly")
        )
    if cell.native in ("duration", "counter") or not (cell.type is None or isinstance(cell.type, Scalar)):
        return False
    return condition.kind in ("equals", "one_of") or (using == "sai" and answers_range(part, condition))


def _has_angle(cell: Cell) -> bool:
    """Whether an index finds vectors of a column by their angle, its default measure: several floats of 32 bits."""
    return cell.native.startswith("vector<float,") and cell.native != "vector<float, 1>"


def _is_indexed(entity_layout: Layout, part: RelationColumn) -> bool:
    return any(index.part.name == part.name for index in entity_layout.indexes)


def _has_indexes(entity_layout: Layout) -> bool:
    """Whether the server supports indexes. Amazon Keyspaces, which reports no compaction, does not."""
    return "compaction" in entity_layout.options


def _may_have_sai(target: KeyspaceTarget) -> bool:
    """Whether the server may support storage-attached indexes.

    A placed target does not contain the server's version. If the environment chose the compaction, the strategy shows
    whether the version has the newest one, which was released together with these indexes.
    """
    chosen = set(target.placement.chosen) if target.placement else set()
    classes = [
        dict(options_map(dict(table.options).get("compaction"))).get("class", "")
        for table in target.tables
        if table.name in chosen and "default_time_to_live" not in dict(table.options)
    ]
    return not classes or "UnifiedCompactionStrategy" in classes
