"""Declarations that would let an unserved pattern be served: secondary indexes, where they serve well.

A materialized view is experimental and off by default on servers, so that none is ever proposed; a second table that is
keyed for the query is a model of its own, and no line to paste.
"""

import re
from collections.abc import Iterator
from dataclasses import replace

from keywright.access.path import Fix
from keywright.access.request import Asked, request
from keywright.ir.attribute import Many, Scalar
from keywright.ir.binding import Binding
from keywright.ir.pattern import Pattern

from ..capabilities import NAME_LENGTH, NAME_PATTERN
from ..cql import identifier
from ..place import GENERATION
from ..tableoptions import options_map
from ..target import IndexTarget, KeyspaceTarget
from .keyed import keyed
from .layout import Layout, layout
from .order import is_collection
from .paths import key_fields
from .paths_index import answers_range
from .relation import Part
from .size import part_bytes

GLOBAL_PER_SECOND = 10
"""How often an index may be asked without a partition: every node takes part in each such query. Our own figure."""

POSTING_BYTES = 8
"""Bytes of a row's number behind its value in a storage-attached index, before compression.
Source: https://cassandra.apache.org/doc/latest/cassandra/developing/cql/indexing/sai/sai-concepts.html, 2026-11-21."""


def fixes(target: KeyspaceTarget, binding: Binding, pattern: Pattern) -> Iterator[Fix[KeyspaceTarget]]:
    """See `Engine.fixes`; each serves only if nothing else is missing, which the search tries."""
    known = layout(target, binding)
    if known is None or pattern.kind not in ("get", "read", "count") or known.counters or not _has_indexes(known):
        return
    asked = request(pattern, key_fields(target, binding))
    is_global = isinstance(keyed(known.table, asked, known.attributes), str)
    if is_global and (pattern.load.peak_per_second or pattern.load.per_second or 0) > GLOBAL_PER_SECOND:
        return
    using = "sai" if _is_attached(target) else "legacy"
    taken = {index.name for index in target.indexes}
    for one in asked.asked:
        part = known.parts.get(one.field)
        if part is None or not _could(known, part, one, using) or _is_indexed(known, part):
            continue
        index = _index(known, part, using)
        if index.name not in taken and len(index.name) <= NAME_LENGTH.value:
            yield _fix(target, binding, known, part, index)


def _fix(
    target: KeyspaceTarget, binding: Binding, known: Layout, part: Part, index: IndexTarget
) -> Fix[KeyspaceTarget]:
    chosen = "" if index.using == "sai" else f', using="{index.using}"'
    size = part_bytes(known, part, binding.entity.name)
    return Fix(
        text=f'kw.CqlIndex("{part.cell.field}"{chosen})',
        subject=binding.name,
        argument="indexes",
        target=replace(target, indexes=tuple(sorted((*target.indexes, index), key=lambda one: one.name))),
        write_cost=1,
        stored_bytes=POSTING_BYTES + (size.low if size.expected is None else size.expected),
    )


def _index(known: Layout, part: Part, using: str) -> IndexTarget:
    """The index as lowering and placing would make it."""
    suffix = GENERATION.search(known.table.name)
    declared = GENERATION.sub("", known.table.name)
    column = identifier(part.name)
    plain = re.sub(r"\W", "_", part.name, flags=re.ASCII)
    name = f"{declared}_{plain}_idx"
    of = f"values({column})" if is_collection(part.cell) else column
    return IndexTarget(name + (suffix[0] if suffix else ""), known.table.name, of, using)


def _could(known: Layout, part: Part, asked: Asked, using: str) -> bool:
    """Whether an index on a column may be and could answer a condition."""
    cell = part.cell
    if asked.constants is not None and None in asked.constants:
        return False  # no index finds rows without a value
    if part.name in known.statics or (part in known.table.partition and len(known.table.partition) == 1):
        return False
    if using == "sai" and (cell.native == "blob" or not re.fullmatch(NAME_PATTERN, part.name)):
        return False
    if isinstance(cell.type, Many):
        element = cell.type.element
        is_plain = isinstance(element, Scalar) and element.kind not in ("duration", "bytes")
        return is_plain and not cell.native.startswith("frozen<") and asked.how in ("contains", "all_of", "exactly")
    if cell.native in ("duration", "counter") or not (cell.type is None or isinstance(cell.type, Scalar)):
        return False
    return asked.how in ("equals", "one_of") or (using == "sai" and answers_range(part, asked))


def _is_indexed(known: Layout, part: Part) -> bool:
    return any(index.part.name == part.name for index in known.indexes)


def _has_indexes(known: Layout) -> bool:
    """Keyspaces, which manages compaction itself and reports none, has no indexes."""
    return "compaction" in known.options


def _is_attached(target: KeyspaceTarget) -> bool:
    """Whether the server may have storage-attached indexes.

    A placed target does not name its version; but where the environment chose the compaction, it shows whether the
    version is one that has the newest strategy, which came with them.
    """
    chosen = set(target.placement.chosen) if target.placement else set()
    classes = [
        dict(options_map(dict(table.options).get("compaction"))).get("class", "")
        for table in target.tables
        if table.name in chosen and "default_time_to_live" not in dict(table.options)
    ]
    return not classes or "UnifiedCompactionStrategy" in classes
