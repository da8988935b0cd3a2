"""Adds the settings of an environment to a keyspace, and removes them."""

import re
from collections.abc import Mapping
from typing import Any, TypeVar

from keywright.engines.contract.pages import Work
from keywright.engines.interface import Description
from keywright.ir.binding import Binding
from keywright.record import replace

from ..declare.options import CqlTable
from ..declare.settings import CassandraEnvironment, KeyspaceSettings
from ..declare.storage import Compaction, SizeTiered, Unified
from .capabilities import FLAVOURS
from .table_options import DEFAULTS, compaction, strategy, windows_of
from .target import IndexTarget, KeyspaceTarget, Pairs, Placement, TableOptions, TableTarget, ViewTarget

GENERATION = re.compile(r"_k([2-9]|[1-9]\d+)$")
"""The suffix of a physical name that contains the generation."""

_Relation = TypeVar("_Relation", TableTarget, ViewTarget)


def place(keyspace: KeyspaceTarget, environment: CassandraEnvironment) -> KeyspaceTarget:
    """See `Engine.place`. A table without declared compaction gets the one for its expiry or for the version."""
    settings = environment.of_keyspace(keyspace.name)
    expiring = {
        (table.name, table.generation): dict(table.options).get("default_time_to_live") for table in keyspace.tables
    }
    chosen: list[str] = []

    def placed_relation(relation: _Relation, table: str) -> _Relation:
        name, ttl = relation.name + _suffix(relation.generation), expiring.get((table, relation.generation))
        options = dict(relation.options)
        if not _reports(environment, "compaction"):
            return replace(relation, name=name, generation=1, options=_without_defaults(relation.options, environment))
        if "compaction" not in options:
            options["compaction"] = compaction(strategy(advised(ttl if isinstance(ttl, int) else 0, environment)))
            chosen.append(name)
        return replace(relation, name=name, generation=1, options=tuple(sorted(options.items())))

    def placed_index(index: IndexTarget) -> IndexTarget:
        suffix = _suffix(index.generation)
        return replace(index, name=index.name + suffix, table=index.table + suffix, generation=1)

    tables = tuple(placed_relation(table, table.name) for table in keyspace.tables)
    views = tuple(
        replace(placed_relation(view, view.table), table=view.table + _suffix(view.generation))
        for view in keyspace.views
    )
    return replace(
        keyspace,
        name=f"{environment.keyspace_prefix}{keyspace.name}",
        tables=tuple(sorted(tables, key=lambda table: table.name)),
        indexes=tuple(sorted(map(placed_index, keyspace.indexes), key=lambda index: index.name)),
        views=tuple(sorted(views, key=lambda view: view.name)),
        placement=_placement(settings, environment, tuple(sorted(chosen))),
    )


def unplace(keyspace: KeyspaceTarget, environment: CassandraEnvironment) -> KeyspaceTarget:
    """See `Engine.unplace`. A live keyspace does not report chosen compaction and keeps all of it: see `managed`."""
    chosen = keyspace.placement.chosen if keyspace.placement else ()

    def declared_relation(relation: _Relation) -> _Relation:
        options = {
            name: value for name, value in relation.options if name != "compaction" or relation.name not in chosen
        }
        if not _reports(environment, "compaction"):
            options = dict(DEFAULTS) | options
        name, generation = _declared(relation.name)
        return replace(relation, name=name, generation=generation, options=tuple(sorted(options.items())))

    def declared_index(index: IndexTarget) -> IndexTarget:
        name, generation = _declared(index.name)
        return replace(index, name=name, generation=generation, table=_declared(index.table)[0])

    views = (replace(declared_relation(view), table=_declared(view.table)[0]) for view in keyspace.views)
    return replace(
        keyspace,
        name=keyspace.name.removeprefix(environment.keyspace_prefix),
        tables=tuple(sorted(map(declared_relation, keyspace.tables), key=lambda table: table.name)),
        indexes=tuple(sorted(map(declared_index, keyspace.indexes), key=lambda index: index.name)),
        views=tuple(sorted(views, key=lambda view: view.name)),
        placement=None,
    )


def localise(environment: CassandraEnvironment | None, version: str) -> CassandraEnvironment:
    """See `Engine.localise`: one node in `datacenter1`, the data centre of a node without configuration."""
    cassandra_environment = environment or CassandraEnvironment(flavour="cassandra")
    own: Mapping[str, KeyspaceSettings] = {
        name: replace(settings, datacentres=None) for name, settings in cassandra_environment.keyspaces.items()
    }
    minor = ".".join(version.split(".")[:2]) or FLAVOURS["cassandra"].latest
    return replace(
        cassandra_environment, flavour="cassandra", version=minor, datacentres={"datacenter1": 1}, keyspaces=own
    )


def apart(environment: CassandraEnvironment, prefix: str) -> CassandraEnvironment:
    """See `Engine.apart`."""
    return replace(environment, keyspace_prefix=prefix)


def _placement(settings: KeyspaceSettings, environment: CassandraEnvironment, chosen: tuple[str, ...]) -> Placement:
    has_choice = FLAVOURS[environment.flavour].has("durable_writes", environment.version)
    return Placement(_replication(settings), settings.durable_writes if has_choice else None, chosen)


def _replication(settings: KeyspaceSettings) -> Pairs:
    """Replication by data centre. Amazon Keyspaces replicates in one region if none is named."""
    factors = {name: str(copies) for name, copies in (settings.datacentres or {}).items()}
    strategy = "NetworkTopologyStrategy" if factors else "SingleRegionStrategy"
    return tuple(sorted({"class": strategy, **factors}.items()))


def advised(ttl_seconds: int, environment: CassandraEnvironment) -> Compaction:
    """The strategy of a table that declares none."""
    if ttl_seconds:
        return windows_of(ttl_seconds)
    flavour = FLAVOURS[environment.flavour]
    return Unified() if flavour.has("UnifiedCompactionStrategy", environment.version) else SizeTiered()


def _reports(environment: CassandraEnvironment, option: str) -> bool:
    return FLAVOURS[environment.flavour].has(f"option {option}", environment.version)


def _without_defaults(options: TableOptions, environment: CassandraEnvironment) -> TableOptions:
    """Options without defaults that the flavour lacks. Other values stay, so that `refuse` reports them."""
    return tuple(option for option in options if option not in DEFAULTS or _reports(environment, option[0]))


def _suffix(generation: int) -> str:
    """The suffix of a physical name."""
    return f"_k{generation}" if generation > 1 else ""


def _declared(name: str) -> tuple[str, int]:
    """Declared name and generation of a physical name."""
    match = GENERATION.search(name)
    return GENERATION.sub("", name), int(match[1]) if match else 1


def object_of(keyspace: KeyspaceTarget, binding: Binding[CqlTable]) -> str:
    """See `Engine.object_of`: `keyspace.table`."""
    spec = binding.spec
    suffix = f"_k{spec.generation}" if spec.generation > 1 else ""
    return f"{keyspace.name}.{spec.name}{suffix}"


def work(keyspace: KeyspaceTarget, entity: str) -> Work:
    """See `Engine.work`: the newest generation of the table."""
    shape = next(shape for shape in keyspace.shape if shape.name == entity)
    name = dict(shape.keys)["table"]
    tables = [table.name for table in keyspace.tables if GENERATION.sub("", table.name) == name]
    newest = max(tables, key=lambda table: int(match[1]) if (match := GENERATION.search(table)) else 1)
    return Work(
        object=f"{keyspace.name}.{newest}",
        reads=(),
        writes=(),
        types={field.stored: field.type for field in shape.fields},
        keys=shape.keys,
    )


HISTORY = "kw_meta"
"""Name of the keyspace of histories, without the prefix of the environment."""


def home(environment: CassandraEnvironment, store: str) -> str:
    """See `Engine.home`: one keyspace for the histories of all keyspaces."""
    return f"{environment.keyspace_prefix}{HISTORY}"


def is_untouched(keyspace: KeyspaceTarget, live: Description | None) -> bool:
    """See `Engine.is_untouched`: unmanaged tables do not count."""
    native: Any = live["native"] if live else {}
    return not any(table.name in native.get("tables", {}) for table in keyspace.tables)
