"""The managed part of a live keyspace: the objects that the target names, and former generations of its tables."""

from typing import Any, TypeVar

from keywright.ir.design import Design
from keywright.record import replace

from ..declare.options import CqlTable, Keyspace
from ..declare.settings import CassandraEnvironment, KeyspaceSettings
from .place import unplace
from .target import Column, IndexTarget, KeyspaceTarget, TableTarget, TypeTarget, ViewTarget

_Relation = TypeVar("_Relation", TableTarget, ViewTarget)


def managed(live: KeyspaceTarget, keyspace: KeyspaceTarget) -> KeyspaceTarget:
    """See `Engine.managed`: columns, options, indexes and views by name.

    Unmanaged fields behind the declared fields of a type do not count.
    """
    surroundings = around(live, keyspace)
    tables, types = (
        {table.name: table for table in keyspace.tables},
        {type.name: type for type in keyspace.types},
    )
    views, indexes = {view.name: view for view in keyspace.views}, {index.name for index in keyspace.indexes}
    return replace(
        surroundings,
        types=tuple(_type(type, types[type.name]) for type in surroundings.types),
        tables=tuple(_table(table, tables[table.name]) for table in surroundings.tables),
        indexes=tuple(index for index in surroundings.indexes if index.name in indexes),
        views=tuple(_options(view, views[view.name]) for view in surroundings.views if view.name in views),
    )


def with_live_settings(
    placed: KeyspaceTarget, live: KeyspaceTarget, environment: CassandraEnvironment
) -> KeyspaceTarget:
    """See `Engine.with_live_settings`: settings under `keyspaces:`, without compaction that the environment chooses."""
    live_placement, expected = live.placement, placed.placement
    if live_placement is None or expected is None:
        return placed
    settings = environment.keyspaces.get(unplace(placed, environment).name, KeyspaceSettings())
    placement = replace(
        expected,
        replication=live_placement.replication if settings.datacentres is None else expected.replication,
        durable_writes=live_placement.durable_writes if settings.durable_writes is None else expected.durable_writes,
    )
    return replace(
        placed,
        tables=tuple(_compacted(table, live.tables, expected.chosen) for table in placed.tables),
        views=tuple(_compacted(view, live.views, expected.chosen) for view in placed.views),
        placement=placement,
    )


def _compacted(relation: _Relation, live: tuple[_Relation, ...], chosen: tuple[str, ...]) -> _Relation:
    """A relation with the live compaction if its own was chosen by the environment."""
    live_options = next((dict(other.options) for other in live if other.name == relation.name), {})
    if relation.name not in chosen or "compaction" not in live_options:
        return relation
    return replace(
        relation, options=tuple(sorted({**dict(relation.options), "compaction": live_options["compaction"]}.items()))
    )


def _type(live: TypeTarget, expected: TypeTarget) -> TypeTarget:
    columns = live.fields[: len(expected.fields)]
    return replace(live, fields=columns) if columns == expected.fields else live


def _table(live: TableTarget, expected: TableTarget) -> TableTarget:
    names = {column.name for column in (*expected.static, *expected.columns)}

    def named(columns: tuple[Column, ...]) -> tuple[Column, ...]:
        return tuple(column for column in columns if column.name in names)

    declared = {name for name, _ in expected.masks}
    masks = tuple(mask for mask in live.masks if mask[0] in declared)
    return _options(replace(live, static=named(live.static), columns=named(live.columns), masks=masks), expected)


def _options(live: _Relation, expected: _Relation) -> _Relation:
    names = {name for name, _ in expected.options}
    return replace(live, options=tuple(option for option in live.options if option[0] in names))


def around(live: KeyspaceTarget, keyspace: KeyspaceTarget) -> KeyspaceTarget:
    """See `Engine.around`: without unmanaged types and tables, and without undeclared compaction."""
    tables = {table.name: table for table in keyspace.tables}
    views = {view.name: view for view in keyspace.views}
    types = {type.name for type in keyspace.types}
    chosen = keyspace.placement.chosen if keyspace.placement else ()
    return replace(
        live,
        types=tuple(type for type in live.types if type.name in types),
        tables=tuple(
            _without_undeclared_compaction(table, tables[table.name]) for table in live.tables if table.name in tables
        ),
        indexes=tuple(index for index in live.indexes if index.table in tables),
        views=tuple(
            _without_undeclared_compaction(view, views[view.name]) if view.name in views else view
            for view in live.views
            if view.table in tables
        ),
        placement=live.placement and replace(live.placement, chosen=chosen),
    )


def _without_undeclared_compaction(live: _Relation, expected: _Relation) -> _Relation:
    """A live relation, without compaction if the expected relation has none."""
    if any(name == "compaction" for name, _ in expected.options):
        return live
    return replace(live, options=tuple(option for option in live.options if option[0] != "compaction"))


def with_live_names(keyspace: KeyspaceTarget, live: KeyspaceTarget) -> KeyspaceTarget:
    """See `Engine.with_live_names`: a column has one index of a kind, and no query contains its name."""
    taken = {live_index.name for live_index in live.indexes}
    free = {
        replace(live_index, name=""): live_index.name
        for live_index in live.indexes
        if live_index.name not in {index.name for index in keyspace.indexes}
    }

    def named(index: IndexTarget) -> IndexTarget:
        name = index.name if index.name in taken else free.get(replace(index, name=""), index.name)
        return replace(index, name=name)

    return replace(keyspace, indexes=tuple(sorted(map(named, keyspace.indexes), key=lambda index: index.name)))


def keep(design: Design[Keyspace, CqlTable], before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    """See `Engine.keep`: a former generation is a second table, with its indexes and views."""
    descriptions = dict(after)
    for binding in design.bindings:
        spec, keyspace = binding.spec, binding.physical.name
        if keyspace not in descriptions or spec.rebuild is None or spec.rebuild.drops_old:
            continue
        generation = spec.rebuild.from_generation
        native = dict(descriptions[keyspace]["native"])
        for part, objects in before.get(keyspace, {"native": {}})["native"].items():
            if part in ("tables", "indexes", "views"):
                old = {
                    key: described
                    for key, described in objects.items()
                    if _is_of(key, described, part, spec.name, generation)
                }
                native[part] = {**native.get(part, {}), **old}
        descriptions[keyspace] = {
            **descriptions[keyspace],
            "native": {part: objects for part, objects in native.items() if objects},
        }
    return descriptions


def _is_of(key: str, described: dict[str, Any], part: str, table: str, generation: int) -> bool:
    """Whether an object is a table of a generation, or its index or view."""
    suffix = f"_k{generation}" if generation > 1 else ""
    name = key.removesuffix(suffix) if part == "tables" else described["table"]
    return bool(name == table and described.get("generation", 1) == generation)
