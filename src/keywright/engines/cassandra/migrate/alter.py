"""Steps from one placed keyspace to another. All nodes have the statement of a step before the next one runs."""

from collections.abc import Iterator
from typing import Any

from keywright.engines.contract.in_place import CannotChange, refuse_rebuilds
from keywright.engines.contract.plan import Statement
from keywright.ir.json import Json
from keywright.record import replace

from ..schema.capabilities import TABLE_OPTIONS
from ..schema.codec import (
    describe,
    describe_index,
    describe_options,
    describe_placement,
    describe_table,
    describe_type,
    describe_view,
)
from ..schema.cql import identifier, qualified
from ..schema.statements import alter_keyspace, alter_mask, alter_options, alter_type
from ..schema.table_options import IN_FULL, bloom_filter
from ..schema.target import KeyspaceTarget, OptionValue, TableOptions, TableTarget, TypeTarget, ViewTarget
from .create import by_dependency, create, store
from .diff import CLASSES, PARTS


def migrate(before: KeyspaceTarget | None, after: KeyspaceTarget | None) -> tuple[Statement, ...]:
    """See `Engine.migrate`: objects are created after the objects that they need, and dropped before them.

    A keyspace without placement is a part of one: only objects that it names are dropped.
    """
    if after is None and before is not None and before.placement is None:
        after = replace(before, types=(), tables=(), indexes=(), views=())
    if after is None:
        return () if before is None else tuple(_drop_keyspace(before))
    if before is None:
        return create(after)
    refuse_rebuilds(store(after), PARTS, CLASSES, describe(before), describe(after))
    _refuse_other_kinds(before, after)
    return tuple(_statements(before, after))


def _refuse_other_kinds(before: KeyspaceTarget, after: KeyspaceTarget) -> None:
    """Raise CannotChange if a column becomes static or stops being static: the server remembers its former kind."""
    old = {table.name: table for table in before.tables}
    for table in after.tables:
        old_table = old.get(table.name, table)
        for part, columns, other in (
            ("static", table.static, old_table.columns),
            ("columns", table.columns, old_table.static),
        ):
            names = {column.name for column in other}
            if paths := [f"tables/{table.name}/{part}/{column.name}" for column in columns if column.name in names]:
                problem = f"{', '.join(paths)} (a column that is static or not stays so)"
                raise CannotChange(f"{store(after)}: {after.name} cannot change in place: {problem}")


def _statements(before: KeyspaceTarget, after: KeyspaceTarget) -> Iterator[Statement]:
    yield from _keyspace(before, after)
    yield from _dropped_relations(before, after)
    yield from _types(before, after)
    old = {table.name: table for table in before.tables}
    new_objects = replace(after, placement=None, types=(), indexes=(), views=())
    yield from create(replace(new_objects, tables=tuple(table for table in after.tables if table.name not in old)))
    for table in after.tables:
        if table.name in old and old[table.name] != table:
            yield from _table(after, old[table.name], table)
    yield from _created_relations(before, after)
    names = {table.name for table in after.tables}
    for table in before.tables:
        if table.name not in names:
            yield _drop(before, "table", ("tables", table.name), table.name, describe_table(table))
    type_names = {type.name for type in after.types}
    for type in reversed(tuple(by_dependency(before.types))):
        if type.name not in type_names:
            yield _drop(before, "type", ("types", type.name), type.name, describe_type(type))


def _keyspace(before: KeyspaceTarget, after: KeyspaceTarget) -> Iterator[Statement]:
    if before.placement and after.placement:
        old, new = describe_placement(before.placement), describe_placement(after.placement)
        if old != new:
            yield _statement(after, (), f'alter keyspace "{after.name}"', alter_keyspace(after), new, old)


def _drop_keyspace(keyspace: KeyspaceTarget) -> Iterator[Statement]:
    description: Json = describe_placement(keyspace.placement) if keyspace.placement else {}
    statement = f"DROP KEYSPACE IF EXISTS {identifier(keyspace.name)}"
    yield _statement(keyspace, (), f'drop keyspace "{keyspace.name}"', statement, None, description)


def _dropped_relations(before: KeyspaceTarget, after: KeyspaceTarget) -> Iterator[Statement]:
    """Drops of indexes and views that are removed or recreated. A change of a view's options alone alters the view."""
    indexes_after = {index.name: index for index in after.indexes}
    for index in before.indexes:
        if indexes_after.get(index.name) != index:
            yield _drop(before, "index", ("indexes", index.name), index.name, describe_index(index))
    kept_names = {view.name for view in _kept_views(before, after)}
    for view in before.views:
        if view.name not in kept_names:
            yield _drop(before, "materialized view", ("views", view.name), view.name, describe_view(view))


def _created_relations(before: KeyspaceTarget, after: KeyspaceTarget) -> Iterator[Statement]:
    old_indexes, kept_views = set(before.indexes), {view.name: view for view in _kept_views(before, after)}
    indexes = tuple(index for index in after.indexes if index not in old_indexes)
    views = tuple(view for view in after.views if view.name not in kept_views)
    for view in after.views:
        if view.name in kept_views:
            old = kept_views[view.name].options
            yield from _options(after, "MATERIALIZED VIEW", ("views", view.name), view.name, old, view.options)
    yield from create(replace(after, placement=None, types=(), tables=(), indexes=indexes, views=views))


def _kept_views(before: KeyspaceTarget, after: KeyspaceTarget) -> Iterator[ViewTarget]:
    """The former views that stay. The server drops no column of a table that has a view."""
    new, columns = (
        {view.name: view for view in after.views},
        {table.name: _columns(table) for table in after.tables},
    )
    losing = {table.name for table in before.tables if _columns(table) - columns.get(table.name, frozenset())}
    for view in before.views:
        other = new.get(view.name)
        if other and view.table not in losing and replace(other, options=()) == replace(view, options=()):
            yield view


def _columns(table: TableTarget) -> frozenset[str]:
    return frozenset(column.name for column in (*table.static, *table.columns))


def _types(before: KeyspaceTarget, after: KeyspaceTarget) -> Iterator[Statement]:
    """New types, and new fields at the end of existing types."""
    old = {type.name: type for type in before.types}
    new = tuple(type for type in after.types if type.name not in old)
    yield from create(replace(after, placement=None, types=new, tables=(), indexes=(), views=()))
    for type in after.types:
        old_fields = old.get(type.name, type).fields
        for position in range(len(old_fields), len(type.fields)):
            type_before, type_after = (
                TypeTarget(type.name, type.fields[:position]),
                TypeTarget(type.name, type.fields[: position + 1]),
            )
            summary = f'add "{type.fields[position].name}" to type "{type.name}"'
            statement = alter_type(after.name, type.name, type.fields[position])
            yield _statement(
                after, ("types", type.name), summary, statement, describe_type(type_after), describe_type(type_before)
            )


def _table(keyspace: KeyspaceTarget, old: TableTarget, new: TableTarget) -> Iterator[Statement]:
    """Removed masks, new columns, dropped columns, masks, then options."""
    masks = dict(new.masks)
    yield from (_mask(keyspace, old, column, None) for column, _ in old.masks if column not in masks)
    for part, old_columns, columns, word in (
        ("static", old.static, new.static, " static"),
        ("columns", old.columns, new.columns, ""),
    ):
        old_names, new_names = {column.name for column in old_columns}, {column.name for column in columns}
        alter = f"ALTER TABLE {qualified(keyspace.name, new.name)}"
        for column in columns:
            if column.name not in old_names:
                summary = f'add column "{column.name}" to table "{new.name}"'
                statement = f"{alter} ADD {identifier(column.name)} {column.type}{word}"
                object = ("tables", new.name, part, column.name)
                yield _statement(keyspace, object, summary, statement, column.type, None)
        for column in old_columns:
            if column.name not in new_names:
                summary = f'drop column "{column.name}" of table "{new.name}"'
                statement = f"{alter} DROP {identifier(column.name)}"
                object = ("tables", new.name, part, column.name)
                yield _statement(keyspace, object, summary, statement, None, column.type)
    yield from (_mask(keyspace, old, column, mask) for column, mask in new.masks if dict(old.masks).get(column) != mask)
    yield from _options(keyspace, "TABLE", ("tables", new.name), new.name, old.options, new.options)


def _mask(keyspace: KeyspaceTarget, old: TableTarget, column: str, mask: str | None) -> Statement:
    """A changed or removed mask of a column of a table."""
    summary = f'{"unmask" if mask is None else "mask"} column "{column}" of table "{old.name}"'
    object = ("tables", old.name, "masks", column)
    native = alter_mask(keyspace.name, old.name, column, mask)
    return _statement(keyspace, object, summary, native, mask, dict(old.masks).get(column))


def _options(
    keyspace: KeyspaceTarget, word: str, object: tuple[str, ...], name: str, old: TableOptions, new: TableOptions
) -> Iterator[Statement]:
    """Changed options, each complete.

    The server resets entries that a map leaves out. It keeps an option that is not named, even if its default depends
    on the compaction.
    """
    if old == new:
        return
    old_values, new_values = dict(old), dict(new)
    changed = {option: value for option, value in new_values.items() if old_values.get(option) != value}
    removed = old_values.keys() - new_values.keys() - set(IN_FULL)
    changed |= {name: value for name in removed if (value := TABLE_OPTIONS[name].default) is not None}
    if bloom_filter(old) != bloom_filter(new):
        changed["bloom_filter_fp_chance"] = bloom_filter(new)
    native = alter_options(keyspace.name, word, name, tuple(sorted(changed.items())))
    summary = f'alter {word.lower()} "{name}"'
    names = {*changed, *removed}
    old_values, new_values = (
        {key: value for key, value in values.items() if key in names} for values in (old_values, new_values)
    )
    statement = _statement(
        keyspace,
        (*object, "options"),
        summary,
        native,
        _described_options(new_values),
        _described_options(old_values),
    )
    yield replace(statement, is_partial=True)


def clash(first: Json, second: Json) -> bool:
    """See `Engine.clash`: a column has one storage-attached index, and one index of the old kind per options."""
    pair: Any = (first, second)
    if any("using" not in index for index in pair):  # a materialised view
        return False
    if any(len({index.get(key) for index in pair}) > 1 for key in ("table", "target", "using", "generation")):
        return False
    is_attached: bool = pair[0]["using"] == "sai"
    return is_attached or pair[0].get("options") == pair[1].get("options")


def _described_options(options: dict[str, OptionValue]) -> Json:
    return describe_options(tuple(options.items()))


def _drop(keyspace: KeyspaceTarget, word: str, object: tuple[str, ...], name: str, before: Json) -> Statement:
    statement = f"DROP {word.upper()} IF EXISTS {qualified(keyspace.name, name)}"
    return _statement(keyspace, object, f'drop {word} "{name}"', statement, None, before)


def _statement(
    keyspace: KeyspaceTarget, object: tuple[str, ...], summary: str, statement: str, wants: Json, before: Json
) -> Statement:
    return Statement(store(keyspace), keyspace.name, object, summary, statement, wants, (before,))
