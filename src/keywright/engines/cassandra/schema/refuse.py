"""Reports the parts of a placed keyspace that the environment's flavour or version does not support."""

import re
from collections.abc import Iterator

from keywright.engines.interface import Rejection
from keywright.ir.text import counted

from ..declare.settings import CassandraEnvironment
from .capabilities import FLAVOURS, NAME_LENGTH, NAME_PATTERN, TABLE_OPTIONS
from .place import GENERATION, unplace
from .table_options import options_map
from .target import ClusteringColumn, Column, KeyspaceTarget, TableTarget


def refuse(keyspace: KeyspaceTarget, environment: CassandraEnvironment) -> Iterator[Rejection]:
    """See `Engine.refuse`."""
    declared = unplace(keyspace, environment)
    yield from _settings(declared.name, environment)
    yield from _names(keyspace, declared.name)
    for table in keyspace.tables:
        yield from _options(table, environment)
        subject = GENERATION.sub("", table.name)
        columns: tuple[Column | ClusteringColumn, ...] = (
            *table.partition,
            *table.clustering,
            *table.static,
            *table.columns,
        )
        for column in columns:
            if "vector<" in column.type:
                yield from _feature("vector", f'"{column.name}" is a {column.type}', environment, subject)
        for masked, _ in table.masks:
            yield from _feature("mask", f'table "{subject}" masks "{masked}"', environment, subject)
    for index in declared.indexes:
        kind = "a secondary" if index.using == "legacy" or _lacks(environment, "index") else "a storage-attached"
        feature = "index" if _lacks(environment, "index") else index.using
        yield from _feature(feature, f'"{index.name}" is {kind} index', environment, index.table, index.name)
    for view in declared.views:
        yield from _feature("view", f'"{view.name}" is a materialized view', environment, view.table, view.name)


def _settings(keyspace: str, environment: CassandraEnvironment) -> Iterator[Rejection]:
    flavour, settings = FLAVOURS[environment.flavour], environment.of_keyspace(keyspace)
    if environment.flavour != "keyspaces" and not settings.datacentres:
        problem = f'keyspace "{keyspace}" has no data centre in this environment'
        yield Rejection("E0405", problem, "add datacentres: {dc1: 3}", keyspace, setting=("datacentres",))
    for name, copies in (settings.datacentres or {}).items():
        if copies < 1:
            problem = (
                f'keyspace "{keyspace}" has {counted(copies, "copy", "copies")} in data centre "{name}", '
                "it takes at least 1"
            )
            yield Rejection("E0402", problem, f"write {name}: 3", keyspace, setting=("datacentres", name))
    if version_problem := flavour.wrong_version(environment.version):
        yield Rejection("E0402", *version_problem, keyspace, setting=("version",))
    if settings.durable_writes is False:
        yield from _feature("durable_writes", f'keyspace "{keyspace}" has durable-writes: false', environment, keyspace)


def _names(keyspace: KeyspaceTarget, declared: str) -> Iterator[Rejection]:
    """Names that become too long or invalid by the prefix or the generation."""
    if not re.fullmatch(NAME_PATTERN, keyspace.name):
        problem = f'the keyspace name "{keyspace.name}" contains a character that Cassandra does not allow'
        yield Rejection("CAS112", problem, "use letters, digits and `_` in keyspace-prefix", declared)
    objects = [("keyspace", keyspace.name, declared)]
    objects += [("table", table.name, GENERATION.sub("", table.name)) for table in keyspace.tables]
    objects += [("index", index.name, GENERATION.sub("", index.table)) for index in keyspace.indexes]
    objects += [("view", view.name, GENERATION.sub("", view.table)) for view in keyspace.views]
    for word, name, subject in objects:
        if len(name) > NAME_LENGTH.value:
            problem = (
                f'the {word} name "{name}" has {counted(len(name), "character")}, Cassandra allows {NAME_LENGTH.value}'
            )
            yield Rejection("CAS112", problem, "shorten it, or the environment's keyspace-prefix", subject)


def _options(table: TableTarget, environment: CassandraEnvironment) -> Iterator[Rejection]:
    subject = GENERATION.sub("", table.name)
    options = dict(table.options)
    for name in options:
        word = TABLE_OPTIONS[name].word or name
        flavour, feature = FLAVOURS[environment.flavour], f"option {name}"
        if flavour.has(feature, environment.version):
            continue
        reason, help = flavour.lack(feature, environment.version)
        code = "CAS113" if environment.flavour == "keyspaces" else "CAS111"
        yield Rejection(code, f'table "{subject}" declares "{word}", which {reason}', help, subject)
    strategy = dict(options_map(options.get("compaction"))).get("class", "")
    yield from _feature(strategy, f'table "{subject}" declares {strategy}', environment, subject)


def _feature(
    feature: str, declaration: str, environment: CassandraEnvironment, subject: str, part: str = ""
) -> Iterator[Rejection]:
    """Reject a feature that no version of the flavour has, or only a later one."""
    flavour = FLAVOURS[environment.flavour]
    if flavour.has(feature, environment.version):
        return
    reason, help = flavour.lack(feature, environment.version)
    code = "CAS113" if not flavour.features[feature].has_it else "GEN106"
    yield Rejection(code, f"{declaration}, which {reason}", help, subject, part)


def _lacks(environment: CassandraEnvironment, feature: str) -> bool:
    return not FLAVOURS[environment.flavour].has(feature, environment.version)
