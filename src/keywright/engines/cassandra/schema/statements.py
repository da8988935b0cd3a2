"""The CQL that creates or alters each object of a keyspace. `cql` quotes every name and value in it."""

from collections.abc import Iterable

from .cql import identifier, identifiers, literal, map_of, qualified
from .target import (
    ClusteringColumn,
    Column,
    IndexTarget,
    KeyspaceTarget,
    OptionValue,
    TableOptions,
    TableTarget,
    TypeTarget,
    ViewTarget,
)

_INDENT = "    "


def create_keyspace(keyspace: KeyspaceTarget) -> str:
    """CREATE KEYSPACE with the settings of the environment."""
    assert keyspace.placement is not None
    properties = [f"replication = {map_of(keyspace.placement.replication)}"]
    if keyspace.placement.durable_writes is not None:
        properties.append(f"durable_writes = {literal(keyspace.placement.durable_writes)}")
    return f"CREATE KEYSPACE IF NOT EXISTS {identifier(keyspace.name)}" + _with(properties)


def create_type(keyspace: str, type: TypeTarget) -> str:
    """CREATE TYPE."""
    fields = (f"{identifier(field.name)} {field.type}" for field in type.fields)
    return f"CREATE TYPE IF NOT EXISTS {qualified(keyspace, type.name)} (\n{_lines(fields)}\n)"


def create_table(keyspace: str, table: TableTarget) -> str:
    """CREATE TABLE with all its options."""
    static = {column.name for column in table.static}
    columns: tuple[Column | ClusteringColumn, ...] = (
        *table.partition,
        *table.clustering,
        *table.static,
        *table.columns,
    )
    masks = {column: f" MASKED WITH {mask}" for column, mask in table.masks}
    lines = [
        f"{identifier(column.name)} {column.type}{' static' if column.name in static else ''}"
        f"{masks.get(column.name, '')}"
        for column in columns
    ]
    partition = [column.name for column in table.partition]
    lines.append(_primary_key(partition, [column.name for column in table.clustering]))
    order = [(column.name, "DESC" if column.is_descending else "ASC") for column in table.clustering]
    properties = [*_order(order), *_properties(table.options)]
    return f"CREATE TABLE IF NOT EXISTS {qualified(keyspace, table.name)} (\n{_lines(lines)}\n)" + _with(properties)


def create_index(keyspace: str, index: IndexTarget) -> str:
    """CREATE INDEX. `lower` has quoted the target, because the server reports it so."""
    using = "" if index.using == "legacy" else f" USING {literal(index.using)}"
    options = f" WITH OPTIONS = {map_of(index.options)}" if index.options else ""
    on = f"{qualified(keyspace, index.table)} ({index.target})"
    return f"CREATE INDEX IF NOT EXISTS {identifier(index.name)} ON {on}{using}{options}"


def create_view(keyspace: str, view: ViewTarget) -> str:
    """CREATE MATERIALIZED VIEW. It contains no row without a value for its additional key column."""
    clustering = [name for name, _ in view.clustering]
    not_null = f"\n{_INDENT}AND ".join(f"{identifier(name)} IS NOT NULL" for name in (*view.partition, *clustering))
    return (
        f"CREATE MATERIALIZED VIEW IF NOT EXISTS {qualified(keyspace, view.name)} AS\n"
        f"{_INDENT}SELECT {'*' if view.columns is None else identifiers(view.columns)}\n"
        f"{_INDENT}FROM {qualified(keyspace, view.table)}\n"
        f"{_INDENT}WHERE {not_null}\n"
        f"{_INDENT}{_primary_key(view.partition, clustering)}"
    ) + _with([*_order(view.clustering), *_properties(view.options)])


def alter_keyspace(keyspace: KeyspaceTarget) -> str:
    """ALTER KEYSPACE with all settings of the environment."""
    return create_keyspace(keyspace).replace("CREATE KEYSPACE IF NOT EXISTS", "ALTER KEYSPACE", 1)


def alter_type(keyspace: str, type: str, field: Column) -> str:
    """ALTER TYPE … ADD, which appends a field."""
    return f"ALTER TYPE {qualified(keyspace, type)} ADD {identifier(field.name)} {field.type}"


def alter_mask(keyspace: str, table: str, column: str, mask: str | None) -> str:
    """ALTER TABLE … ALTER with a masking function, or without one."""
    change = "DROP MASKED" if mask is None else f"MASKED WITH {mask}"
    return f"ALTER TABLE {qualified(keyspace, table)} ALTER {identifier(column)} {change}"


def alter_options(keyspace: str, word: str, name: str, options: TableOptions) -> str:
    """ALTER TABLE or ALTER MATERIALIZED VIEW with the expected options."""
    return f"ALTER {word} {qualified(keyspace, name)}" + _with(_properties(options))


def _primary_key(partition: Iterable[str], clustering: Iterable[str]) -> str:
    names = tuple(partition)
    partition_key = f"({identifiers(names)})" if len(names) > 1 else identifier(names[0])
    return f"PRIMARY KEY ({', '.join((partition_key, *map(identifier, clustering)))})"


def _order(columns: Iterable[tuple[str, str]]) -> list[str]:
    order = ", ".join(f"{identifier(name)} {direction}" for name, direction in columns)
    return [f"CLUSTERING ORDER BY ({order})"] if order else []


def _properties(options: TableOptions) -> list[str]:
    return [f"{name} = {_value(value)}" for name, value in options]


def _value(value: OptionValue) -> str:
    return map_of(value) if isinstance(value, tuple) else literal(value)


def _with(properties: list[str]) -> str:
    return " WITH " + f"\n{_INDENT}AND ".join(properties) if properties else ""


def _lines(lines: Iterable[str]) -> str:
    return ",\n".join(f"{_INDENT}{line}" for line in lines)
