"""Which indexes and materialized views Cassandra cannot have."""

import re
from collections import Counter
from collections.abc import Iterator

from keywright.declare.names import names, ordered
from keywright.engines.interface import Refusal
from keywright.ir.attribute import Many, Map, Struct, Type
from keywright.ir.binding import Binding

from .capabilities import INDEX_OPTIONS, NAME_PATTERN
from .columns import StoredColumn, column_named, columns_of, key_problem, stored_name, table_of
from .lower import index_name, index_target
from .storage import CqlIndex, View
from .typemap import holds_duration, native_type


def check_indexes(binding: Binding) -> Iterator[Refusal]:
    """Columns that cannot be indexed, or not like that."""
    table = table_of(binding)
    seen: dict[tuple[str, str], str] = {}
    for index in table.indexes:
        name = index_name(binding, index)
        column = column_named(binding, index.on)
        problem = _target(binding, index, column) or (column and _analysis(index, column))
        if problem:
            yield Refusal("CAS110", f'index "{name}": {problem[0]}', problem[1], binding.name, index.name or "")
        target = index_target(binding, index).target
        twin = seen.setdefault((index.using, target), name)
        if twin != name:
            text = f'index "{name}" is a second one of its kind on {target}, beside "{twin}"'
            yield Refusal("CAS110", text, "remove one of them", binding.name, index.name or "")


def _target(binding: Binding, index: CqlIndex, column: StoredColumn | None) -> tuple[str, str] | None:
    """Why a column cannot be indexed so, and what to do."""
    if column is None:
        return f'"{index.on}" is inside an embedded model', "copy it into a column: computed={...}"
    kind = column.attribute.type if column.attribute else None
    if column.role == "partition" and len(names(table_of(binding).partition)) == 1:
        return f'"{index.on}" is the whole partition key already', "remove the index"
    if kind is not None and holds_duration(kind, column.type):
        return f'"{index.on}" holds a duration', f'types={{"{index.on}": "bigint"}}, or remove the index'
    is_frozen, is_collection = column.type.startswith("frozen<"), isinstance(kind, (Many, Map))
    if isinstance(kind, Struct) and not is_frozen:
        return f'"{index.on}" is an unfrozen embedded model', "take it out of unfrozen="
    if index.of == "full" and not (is_collection and is_frozen):
        return f'of="full" needs a frozen collection, "{index.on}" is {column.type}', f'add frozen="{index.on}"'
    if index.of in ("keys", "entries") and not (isinstance(kind, Map) and not is_frozen):
        return f'of="{index.of}" needs a map that is not frozen, "{index.on}" is {column.type}', 'say of="value"'
    if index.of == "value" and is_collection and is_frozen:
        return f'"{index.on}" is a frozen collection, which is indexed as a whole', 'say of="full"'
    if index.using == "sai" and _indexed_type(kind, column, index) == "blob":
        return f'"{index.on}" holds bytes, which a storage-attached index does not take', 'say using="legacy"'
    if index.using == "sai" and not re.fullmatch(NAME_PATTERN, column.name):
        return f'the column "{column.name}" has a sign in its name', "alias the field by letters, digits and `_`"
    return None


def _indexed_type(kind: Type | None, column: StoredColumn, index: CqlIndex) -> str:
    """Native type of what the index holds."""
    match kind:
        case Many() if index.of == "value":
            return native_type(kind.element)
        case Map() if index.of == "value":
            return native_type(kind.value)
        case Map() if index.of == "keys":
            return "text"
        case _:
            return column.type


def _analysis(index: CqlIndex, column: StoredColumn) -> tuple[str, str] | None:
    given = [name for name, default in INDEX_OPTIONS.items() if str(getattr(index, name)).lower() != default]
    if not given:
        return None
    kind = column.attribute.type if column.attribute else None
    if index.using == "legacy":
        return f"{given[0]}= is an option of storage-attached indexes", 'say using="sai", or leave it out'
    if column.role in ("partition", "clustering"):
        return f'{given[0]}= does not go with "{index.on}", a part of the key', "leave it out"
    if index.of in ("entries", "full") or _indexed_type(kind, column, index) not in ("text", "ascii"):
        return f'{given[0]}= is for text, "{index.on}" is {column.type}', "leave it out"
    return None


def check_views(binding: Binding) -> Iterator[Refusal]:
    """Views whose key the server refuses."""
    for view in table_of(binding).views:
        for problem, help in _view(binding, view):
            yield Refusal("CAS109", f'view "{view.name}": {problem}', help, binding.name, view.name)


def _view(binding: Binding, view: View) -> Iterator[tuple[str, str]]:
    given = [stored_name(binding, name) for name in (*names(view.partition), *ordered(view.clustering))]
    columns = {column.name: column for column in columns_of(binding)}
    base = [column.name for column in columns.values() if column.role in ("partition", "clustering")]
    twice = [name for name, times in Counter(given).items() if times > 1]
    missing = [name for name in base if name not in given]
    extra = [name for name in dict.fromkeys(given) if name not in base]
    if not names(view.partition):
        yield "its partition key is empty", "name at least one column"
    for name in twice:
        yield f'"{name}" is twice in its key', "name each column once"
    if missing:
        shown = ", ".join(f'"{name}"' for name in missing)
        yield f"its key lacks {shown} of the table's key", f"add to clustering=: {', '.join(missing)}"
    if len(extra) > 1:
        shown = " and ".join(f'"{name}"' for name in extra)
        yield (
            f"its key has {len(extra)} columns beyond the table's, {shown}, and one is allowed",
            "leave out the others",
        )
    for name in extra:
        column = columns.get(name)
        if column is None:
            yield f'"{name}" is inside an embedded model', "copy it into a column: computed={...}"
        elif column.role == "static":
            yield f'"{name}" is static and cannot be in a view', "leave it out of static=, or of the view"
        elif problem := key_problem(column):
            yield problem
