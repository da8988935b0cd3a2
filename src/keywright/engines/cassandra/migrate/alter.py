"""Steps from one placed keyspace to another: one statement at a time, each settled on all nodes before the next."""

from collections.abc import Iterator
from dataclasses import replace

from keywright.engines.in_place import refuse_rebuilds
from keywright.engines.plan import Step
from keywright.ir.json import Json

from .capabilities import TABLE_OPTIONS
from .codec import (
    describe,
    describe_index,
    describe_options,
    describe_placement,
    describe_table,
    describe_type,
    describe_view,
)
from .cql import identifier, qualified
from .diff import CLASSES, PARTS
from .migrate import by_dependency, create, store
from .statements import alter_keyspace, alter_options, alter_type
from .tableoptions import IN_FULL, bloom_filter
from .target import KeyspaceTarget, Options, TableTarget, TypeTarget, ViewTarget


def migrate(before: KeyspaceTarget | None, after: KeyspaceTarget | None) -> tuple[Step, ...]:
    """See `Engine.migrate`: what others need comes before them, and goes after them.

    A keyspace without placement is a part of one: only what it names goes.
    """
    if after is None and before is not None and before.placement is None:
        after = replace(before, types=(), tables=(), indexes=(), views=())
    if after is None:
        return () if before is None else tuple(_drop_keyspace(before))
    if before is None:
        return create(after)
    refuse_rebuilds(store(after), PARTS, CLASSES, describe(before), describe(after))
    _refuse_other_kinds(before, after)
    return tuple(_steps(before, after))


def _refuse_other_kinds(before: KeyspaceTarget, after: KeyspaceTarget) -> None:
    """Raise ValueError where a column becomes static, or no longer is: the server remembers what it was."""
    old = {table.name: table for table in before.tables}
    for table in after.tables:
        were = old.get(table.name, table)
        for part, wanted, other in (("static", table.static, were.columns), ("columns", table.columns, were.static)):
            known = {column.name for column in other}
            if wrong := [f"tables/{table.name}/{part}/{one.name}" for one in wanted if one.name in known]:
                told = f"{', '.join(wrong)} (a column that is static or not stays so)"
                raise ValueError(f"{store(after)}: {after.name} cannot change in place: {told}")


def _steps(before: KeyspaceTarget, after: KeyspaceTarget) -> Iterator[Step]:
    yield from _keyspace(before, after)
    yield from _held_away(before, after)
    yield from _types(before, after)
    old = {table.name: table for table in before.tables}
    fresh = replace(after, placement=None, types=(), indexes=(), views=())
    yield from create(replace(fresh, tables=tuple(table for table in after.tables if table.name not in old)))
    for table in after.tables:
        if table.name in old and old[table.name] != table:
            yield from _table(after, old[table.name], table)
    yield from _held_here(before, after)
    kept = {table.name for table in after.tables}
    for table in before.tables:
        if table.name not in kept:
            yield _drop(before, "table", ("tables", table.name), table.name, describe_table(table))
    held = {type.name for type in after.types}
    for type in reversed(tuple(by_dependency(before.types))):
        if type.name not in held:
            yield _drop(before, "type", ("types", type.name), type.name, describe_type(type))


def _keyspace(before: KeyspaceTarget, after: KeyspaceTarget) -> Iterator[Step]:
    if before.placement and after.placement:
        old, new = describe_placement(before.placement), describe_placement(after.placement)
        if old != new:
            yield _step(after, (), f'alter keyspace "{after.name}"', alter_keyspace(after), new, old)


def _drop_keyspace(keyspace: KeyspaceTarget) -> Iterator[Step]:
    was: Json = describe_placement(keyspace.placement) if keyspace.placement else {}
    statement = f"DROP KEYSPACE IF EXISTS {identifier(keyspace.name)}"
    yield _step(keyspace, (), f'drop keyspace "{keyspace.name}"', statement, None, was)


def _held_away(before: KeyspaceTarget, after: KeyspaceTarget) -> Iterator[Step]:
    """Indexes and views that go or are made anew; a view's options alone are altered, elsewhere."""
    new_indexes = {one.name: one for one in after.indexes}
    for index in before.indexes:
        if new_indexes.get(index.name) != index:
            yield _drop(before, "index", ("indexes", index.name), index.name, describe_index(index))
    kept = {view.name for view in _kept(before, after)}
    for view in before.views:
        if view.name not in kept:
            yield _drop(before, "materialized view", ("views", view.name), view.name, describe_view(view))


def _held_here(before: KeyspaceTarget, after: KeyspaceTarget) -> Iterator[Step]:
    old_indexes, kept = set(before.indexes), {view.name: view for view in _kept(before, after)}
    indexes = tuple(one for one in after.indexes if one not in old_indexes)
    views = tuple(view for view in after.views if view.name not in kept)
    for view in after.views:
        if view.name in kept:
            old = kept[view.name].options
            yield from _options(after, "MATERIALIZED VIEW", ("views", view.name), view.name, old, view.options)
    yield from create(replace(after, placement=None, types=(), tables=(), indexes=indexes, views=views))


def _kept(before: KeyspaceTarget, after: KeyspaceTarget) -> Iterator[ViewTarget]:
    """The former views that stay: the server drops no column of a table while any view of it is there."""
    new, columns = {one.name: one for one in after.views}, {table.name: _columns(table) for table in after.tables}
    losing = {table.name for table in before.tables if _columns(table) - columns.get(table.name, frozenset())}
    for view in before.views:
        other = new.get(view.name)
        if other and view.table not in losing and replace(other, options=()) == replace(view, options=()):
            yield view


def _columns(table: TableTarget) -> frozenset[str]:
    return frozenset(column.name for column in (*table.static, *table.columns))


def _types(before: KeyspaceTarget, after: KeyspaceTarget) -> Iterator[Step]:
    """New types, and new fields behind those that a type has."""
    old = {type.name: type for type in before.types}
    new = tuple(type for type in after.types if type.name not in old)
    yield from create(replace(after, placement=None, types=new, tables=(), indexes=(), views=()))
    for type in after.types:
        known = old.get(type.name, type).fields
        for at in range(len(known), len(type.fields)):
            was, wanted = TypeTarget(type.name, type.fields[:at]), TypeTarget(type.name, type.fields[: at + 1])
            summary = f'add "{type.fields[at].name}" to type "{type.name}"'
            statement = alter_type(after.name, type.name, type.fields[at])
            yield _step(after, ("types", type.name), summary, statement, describe_type(wanted), describe_type(was))


def _table(keyspace: KeyspaceTarget, old: TableTarget, new: TableTarget) -> Iterator[Step]:
    """Columns that come, columns that go, then options."""
    for part, were, wanted, word in (
        ("static", old.static, new.static, " static"),
        ("columns", old.columns, new.columns, ""),
    ):
        known, kept = {column.name for column in were}, {column.name for column in wanted}
        alter = f"ALTER TABLE {qualified(keyspace.name, new.name)}"
        for column in wanted:
            if column.name not in known:
                summary = f'add column "{column.name}" to table "{new.name}"'
                statement = f"{alter} ADD {identifier(column.name)} {column.type}{word}"
                object = ("tables", new.name, part, column.name)
                yield _step(keyspace, object, summary, statement, column.type, None)
        for column in were:
            if column.name not in kept:
                summary = f'drop column "{column.name}" of table "{new.name}"'
                statement = f"{alter} DROP {identifier(column.name)}"
                object = ("tables", new.name, part, column.name)
                yield _step(keyspace, object, summary, statement, None, column.type)
    yield from _options(keyspace, "TABLE", ("tables", new.name), new.name, old.options, new.options)


def _options(
    keyspace: KeyspaceTarget, word: str, object: tuple[str, ...], name: str, old: Options, new: Options
) -> Iterator[Step]:
    """Options that differ, each in full: the server forgets what a map leaves out, and keeps an option that is not
    named, even one whose own value goes with the compaction.
    """
    if old == new:
        return
    were, wanted = dict(old), dict(new)
    changed = {option: value for option, value in wanted.items() if were.get(option) != value}
    gone = were.keys() - wanted.keys() - set(IN_FULL)
    changed |= {name: value for name in gone if (value := TABLE_OPTIONS[name].default) is not None}
    if bloom_filter(old) != bloom_filter(new):
        changed["bloom_filter_fp_chance"] = bloom_filter(new)
    statement = alter_options(keyspace.name, word, name, tuple(sorted(changed.items())))
    summary = f'alter {word.lower()} "{name}"'
    yield _step(keyspace, (*object, "options"), summary, statement, describe_options(new), describe_options(old))


def _drop(keyspace: KeyspaceTarget, word: str, object: tuple[str, ...], name: str, was: Json) -> Step:
    statement = f"DROP {word.upper()} IF EXISTS {qualified(keyspace.name, name)}"
    return _step(keyspace, object, f'drop {word} "{name}"', statement, None, was)


def _step(
    keyspace: KeyspaceTarget, object: tuple[str, ...], summary: str, statement: str, wants: Json, before: Json
) -> Step:
    return Step(store(keyspace), keyspace.name, object, summary, statement, wants, (before,))
