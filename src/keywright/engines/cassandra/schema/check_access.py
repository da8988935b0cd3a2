"""Indexes and materialized views that Cassandra cannot have."""

import re
from collections import Counter
from collections.abc import Iterator

from keywright.declare.names import names, ordered
from keywright.engines.interface import Rejection
from keywright.ir.attribute import Many, Map, Struct, Type
from keywright.ir.binding import Binding
from keywright.ir.text import counted

from ..declare.options import CqlTable
from ..declare.storage import CqlIndex, View
from .capabilities import INDEX_OPTIONS, NAME_PATTERN
from .columns import StoredColumn, column_named, columns_of, key_problem, stored_name
from .lower import index_name, index_target
from .typemap import holds_duration, is_collection, native_type


def check_indexes(binding: Binding[CqlTable]) -> Iterator[Rejection]:
    """Indexes that a column does not allow, and second indexes of one kind on a column."""
    table = binding.spec
    names_by_target: dict[tuple[str, str], str] = {}
    for index in table.indexes:
        name = index_name(binding, index)
        column = column_named(binding, index.on)
        problem = _column_problem(binding, index, column) or (column and _option_problem(index, column))
        if problem:
            yield Rejection("CAS110", f'index "{name}": {problem[0]}', problem[1], binding.name, index.name or "")
        target = index_target(binding, index).target
        existing = names_by_target.setdefault((index.using, target), name)
        if existing != name:
            text = f'index "{name}" is a second one of its kind on {target}, besides "{existing}"'
            yield Rejection("CAS110", text, "remove one of them", binding.name, index.name or "")


def _column_problem(binding: Binding[CqlTable], index: CqlIndex, column: StoredColumn | None) -> tuple[str, str] | None:
    """The reason why a column cannot have this index, and a help line; None if it can."""
    if column is None:
        return f'"{index.on}" is inside an embedded model', "copy it into a column: computed={...}"
    kind = column.attribute.type if column.attribute else None
    if column.role == "partition" and len(names(binding.spec.partition)) == 1:
        return f'"{index.on}" is already the whole partition key', "remove the index"
    if kind is not None and holds_duration(kind, column.type):
        return f'"{index.on}" is a duration', f'types={{"{index.on}": "bigint"}}, or remove the index'
    is_frozen, is_whole = column.type.startswith("frozen<"), is_collection(kind)
    if isinstance(kind, Struct) and not is_frozen:
        return f'"{index.on}" is an unfrozen embedded model', "remove it from unfrozen="
    if index.of == "full" and not (is_whole and is_frozen):
        return f'of="full" needs a frozen collection, "{index.on}" is {column.type}', f'add frozen="{index.on}"'
    if index.of in ("keys", "entries") and not (isinstance(kind, Map) and not is_frozen):
        return f'of="{index.of}" needs a map that is not frozen, "{index.on}" is {column.type}', 'write of="value"'
    if index.of == "value" and is_whole and is_frozen:
        return f'"{index.on}" is a frozen collection, which is indexed as a whole', 'write of="full"'
    indexed = _indexed_type(kind, column, index)
    if index.using == "sai" and indexed.startswith("vector<") and not indexed.startswith("vector<float,"):
        return f'"{index.on}" is a {column.type}, only vectors of floats are indexed', "remove the index"
    if index.using == "sai" and indexed == "vector<float, 1>" and index.similarity_function == "cosine":
        return f'"{index.on}" has one dimension, which has no angle', 'write similarity_function="euclidean"'
    if index.using == "sai" and indexed == "blob":
        return f'"{index.on}" contains bytes, which a storage-attached index does not support', 'write using="legacy"'
    if index.using == "sai" and not re.fullmatch(NAME_PATTERN, column.name):
        problem = f'the column "{column.name}" has a special character in its name'
        return problem, "choose an alias of letters, digits and `_`"
    return None


def _indexed_type(kind: Type | None, column: StoredColumn, index: CqlIndex) -> str:
    """Native type of the indexed values."""
    match kind:
        case Many(is_tuple=False, is_vector=False) if index.of == "value":
            return native_type(kind.element)
        case Map() if index.of == "value":
            return native_type(kind.value)
        case Map() if index.of == "keys":
            return native_type(kind.key)
        case _:
            return column.type


def _option_problem(index: CqlIndex, column: StoredColumn) -> tuple[str, str] | None:
    options = [name for name, default in INDEX_OPTIONS.items() if str(getattr(index, name)).lower() != default]
    if not options:
        return None
    kind = column.attribute.type if column.attribute else None
    indexed = _indexed_type(kind, column, index)
    if index.using == "sai" and options == ["similarity_function"] and indexed.startswith("vector<"):
        return None
    if index.using == "legacy":
        return f"{options[0]}= is an option of storage-attached indexes", 'write using="sai", or remove it'
    if column.role in ("partition", "clustering"):
        return f'{options[0]}= cannot be used with "{index.on}", a part of the key', "remove it"
    if "similarity_function" in options:
        return f'similarity_function= is for vectors, "{index.on}" is {column.type}', "remove it"
    if index.of in ("entries", "full") or indexed not in ("text", "ascii"):
        return f'{options[0]}= is for text, "{index.on}" is {column.type}', "remove it"
    return None


def check_views(binding: Binding[CqlTable]) -> Iterator[Rejection]:
    """Views whose key the server rejects."""
    for view in binding.spec.views:
        for problem, help in _key_problems(binding, view):
            yield Rejection("CAS109", f'view "{view.name}": {problem}', help, binding.name, view.name)


def _key_problems(binding: Binding[CqlTable], view: View) -> Iterator[tuple[str, str]]:
    stored_names = [stored_name(binding, name) for name in (*names(view.partition), *ordered(view.clustering))]
    columns = {column.name: column for column in columns_of(binding)}
    table_key = [column.name for column in columns.values() if column.role in ("partition", "clustering")]
    duplicates = [name for name, times in Counter(stored_names).items() if times > 1]
    missing = [name for name in table_key if name not in stored_names]
    extra = [name for name in dict.fromkeys(stored_names) if name not in table_key]
    if not names(view.partition):
        yield "its partition key is empty", "name at least one column"
    for name in duplicates:
        yield f'"{name}" is twice in its key', "name each column once"
    if missing:
        text = ", ".join(f'"{name}"' for name in missing)
        yield f"its key lacks {text} of the table's key", f"add to clustering=: {', '.join(missing)}"
    if len(extra) > 1:
        text = " and ".join(f'"{name}"' for name in extra)
        yield (
            f"its key has {counted(len(extra), 'column')} beyond the table's, {text}, and one is allowed",
            "remove the others",
        )
    for name in extra:
        column = columns.get(name)
        if column is None:
            yield f'"{name}" is inside an embedded model', "copy it into a column: computed={...}"
        elif column.role == "static":
            yield f'"{name}" is static and cannot be in a view', "remove it from static=, or from the view"
        elif problem := key_problem(column):
            yield problem
