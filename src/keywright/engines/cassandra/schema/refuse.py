"""What an environment's flavour and version lack for a placed keyspace."""

import re
from collections.abc import Iterator

from keywright.engines.interface import Refusal

from .capabilities import FLAVOURS, NAME_LENGTH, NAME_PATTERN, TABLE_OPTIONS
from .place import GENERATION, unplace
from .settings import CassandraEnvironment
from .tableoptions import options_map
from .target import KeyspaceTarget, TableTarget


def refuse(keyspace: KeyspaceTarget, environment: CassandraEnvironment) -> Iterator[Refusal]:
    """See `Engine.refuse`."""
    declared = unplace(keyspace, environment)
    yield from _settings(declared.name, environment)
    yield from _names(keyspace, declared.name)
    for table in keyspace.tables:
        yield from _options(table, environment)
    for index in declared.indexes:
        kind = "a secondary" if index.using == "legacy" or _lacks(environment, "index") else "a storage-attached"
        feature = "index" if _lacks(environment, "index") else index.using
        yield from _feature(feature, f'"{index.name}" is {kind} index', environment, index.table, index.name)
    for view in declared.views:
        yield from _feature("view", f'"{view.name}" is a materialized view', environment, view.table, view.name)


def _settings(keyspace: str, environment: CassandraEnvironment) -> Iterator[Refusal]:
    flavour, settings = FLAVOURS[environment.flavour], environment.of_keyspace(keyspace)
    if environment.flavour != "keyspaces" and not settings.datacentres:
        problem = f'keyspace "{keyspace}" has no data centre in this environment'
        yield Refusal("E0405", problem, "add datacentres: {dc1: 3}", keyspace)
    for name, copies in (settings.datacentres or {}).items():
        if copies < 1:
            problem = f'keyspace "{keyspace}" has {copies} copies in data centre "{name}", it takes at least 1'
            yield Refusal("E0402", problem, f"say {name}: 3", keyspace)
    if wrong := flavour.wrong_version(environment.version):
        yield Refusal("E0402", *wrong, keyspace)
    if settings.durable_writes is False:
        yield from _feature("durable_writes", f'keyspace "{keyspace}" has durable-writes: false', environment, keyspace)


def _names(keyspace: KeyspaceTarget, declared: str) -> Iterator[Refusal]:
    """Names that only prefix or generation make too long, or otherwise illegal."""
    if not re.fullmatch(NAME_PATTERN, keyspace.name):
        problem = f'the keyspace name "{keyspace.name}" holds a character that Cassandra does not allow'
        yield Refusal("CAS112", problem, "use letters, digits and `_` in keyspace-prefix", declared)
    named = [("keyspace", keyspace.name, declared)]
    named += [("table", table.name, GENERATION.sub("", table.name)) for table in keyspace.tables]
    named += [("index", one.name, GENERATION.sub("", one.table)) for one in keyspace.indexes]
    named += [("view", one.name, GENERATION.sub("", one.table)) for one in keyspace.views]
    for word, name, subject in named:
        if len(name) > NAME_LENGTH.value:
            problem = f'the {word} name "{name}" has {len(name)} characters, Cassandra allows {NAME_LENGTH.value}'
            yield Refusal("CAS112", problem, "shorten it, or the environment's keyspace-prefix", subject)


def _options(table: TableTarget, environment: CassandraEnvironment) -> Iterator[Refusal]:
    subject = GENERATION.sub("", table.name)
    options = dict(table.options)
    for name in options:
        word = TABLE_OPTIONS[name].word or name
        flavour, feature = FLAVOURS[environment.flavour], f"option {name}"
        if flavour.has(feature, environment.version):
            continue
        end, help = flavour.lack(feature, environment.version)
        code = "CAS113" if environment.flavour == "keyspaces" else "CAS111"
        yield Refusal(code, f'table "{subject}" declares "{word}", which {end}', help, subject)
    strategy = dict(options_map(options.get("compaction"))).get("class", "")
    yield from _feature(strategy, f'table "{subject}" declares {strategy}', environment, subject)


def _feature(
    feature: str, what: str, environment: CassandraEnvironment, subject: str, part: str = ""
) -> Iterator[Refusal]:
    """Refuse what no version of the flavour has, or what a later one has."""
    flavour = FLAVOURS[environment.flavour]
    if flavour.has(feature, environment.version):
        return
    end, help = flavour.lack(feature, environment.version)
    code = "CAS113" if not flavour.features[feature].has_it else "GEN106"
    yield Refusal(code, f"{what}, which {end}", help, subject, part)


def _lacks(environment: CassandraEnvironment, feature: str) -> bool:
    return not FLAVOURS[environment.flavour].has(feature, environment.version)
