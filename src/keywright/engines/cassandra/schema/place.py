"""What an environment adds to a keyspace, and takes off it again."""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, TypeVar

from keywright.engines.interface import Description
from keywright.ir.binding import Binding

from .capabilities import FLAVOURS
from .options import CqlTable
from .settings import CassandraEnvironment, KeyspaceSettings
from .storage import Compaction, SizeTiered, Unified
from .tableoptions import DEFAULTS, compaction, strategy, windows_of
from .target import IndexTarget, KeyspaceTarget, Options, Pairs, Placement, TableTarget, ViewTarget

GENERATION = re.compile(r"_k([2-9]|[1-9]\d+)$")
"""The end of a physical name that tells a generation."""

_Stored = TypeVar("_Stored", TableTarget, ViewTarget)


def place(keyspace: KeyspaceTarget, environment: CassandraEnvironment) -> KeyspaceTarget:
    """See `Engine.place`; a table that declares no compaction gets the one that its expiry or the version advises."""
    settings = environment.of_keyspace(keyspace.name)
    expiring = {
        (table.name, table.generation): dict(table.options).get("default_time_to_live") for table in keyspace.tables
    }
    chosen: list[str] = []

    def stored(one: _Stored, table: str) -> _Stored:
        name, ttl = one.name + _suffix(one.generation), expiring.get((table, one.generation))
        options = dict(one.options)
        if not _reports(environment, "compaction"):
            return replace(one, name=name, generation=1, options=_without_defaults(one.options, environment))
        if "compaction" not in options:
            options["compaction"] = compaction(strategy(_advised(ttl if isinstance(ttl, int) else 0, environment)))
            chosen.append(name)
        return replace(one, name=name, generation=1, options=tuple(sorted(options.items())))

    def placed(index: IndexTarget) -> IndexTarget:
        suffix = _suffix(index.generation)
        return replace(index, name=index.name + suffix, table=index.table + suffix, generation=1)

    tables = tuple(stored(table, table.name) for table in keyspace.tables)
    views = tuple(
        replace(stored(view, view.table), table=view.table + _suffix(view.generation)) for view in keyspace.views
    )
    return replace(
        keyspace,
        name=f"{environment.keyspace_prefix}{keyspace.name}",
        tables=tuple(sorted(tables, key=lambda one: one.name)),
        indexes=tuple(sorted(map(placed, keyspace.indexes), key=lambda one: one.name)),
        views=tuple(sorted(views, key=lambda one: one.name)),
        placement=_placement(settings, environment, tuple(sorted(chosen))),
    )


def unplace(keyspace: KeyspaceTarget, environment: CassandraEnvironment) -> KeyspaceTarget:
    """See `Engine.unplace`; a live keyspace cannot tell what was chosen, so it keeps all compaction: see `managed`."""
    chosen = keyspace.placement.chosen if keyspace.placement else ()

    def stored(one: _Stored) -> _Stored:
        options = {name: value for name, value in one.options if name != "compaction" or one.name not in chosen}
        if not _reports(environment, "compaction"):
            options = dict(DEFAULTS) | options
        name, generation = _declared(one.name)
        return replace(one, name=name, generation=generation, options=tuple(sorted(options.items())))

    def index(one: IndexTarget) -> IndexTarget:
        name, generation = _declared(one.name)
        return replace(one, name=name, generation=generation, table=_declared(one.table)[0])

    views = (replace(stored(view), table=_declared(view.table)[0]) for view in keyspace.views)
    return replace(
        keyspace,
        name=keyspace.name.removeprefix(environment.keyspace_prefix),
        tables=tuple(sorted(map(stored, keyspace.tables), key=lambda one: one.name)),
        indexes=tuple(sorted(map(index, keyspace.indexes), key=lambda one: one.name)),
        views=tuple(sorted(views, key=lambda one: one.name)),
        placement=None,
    )


def managed(live: KeyspaceTarget, wanted: KeyspaceTarget) -> KeyspaceTarget:
    """See `Engine.managed`: a keyspace may hold types and tables of others, and compaction that nobody declared."""
    tables = {table.name: table for table in wanted.tables}
    views = {view.name: view for view in wanted.views}
    types = {type.name for type in wanted.types}
    chosen = wanted.placement.chosen if wanted.placement else ()
    return replace(
        live,
        types=tuple(type for type in live.types if type.name in types),
        tables=tuple(_spoken_of(table, tables[table.name]) for table in live.tables if table.name in tables),
        indexes=tuple(index for index in live.indexes if index.table in tables),
        views=tuple(
            _spoken_of(view, views[view.name]) if view.name in views else view
            for view in live.views
            if view.table in tables
        ),
        placement=live.placement and replace(live.placement, chosen=chosen),
    )


def localise(environment: CassandraEnvironment | None, version: str) -> CassandraEnvironment:
    """See `Engine.localise`: one node in the one data centre that a lone node has."""
    known = environment or CassandraEnvironment(flavour="cassandra")
    own: Mapping[str, KeyspaceSettings] = {
        name: replace(settings, datacentres=None) for name, settings in known.keyspaces.items()
    }
    minor = ".".join(version.split(".")[:2]) or FLAVOURS["cassandra"].latest
    return replace(known, flavour="cassandra", version=minor, datacentres={"datacenter1": 1}, keyspaces=own)


def _placement(settings: KeyspaceSettings, environment: CassandraEnvironment, chosen: tuple[str, ...]) -> Placement:
    has_choice = FLAVOURS[environment.flavour].has("durable_writes", environment.version)
    return Placement(_replication(settings), settings.durable_writes if has_choice else None, chosen)


def _replication(settings: KeyspaceSettings) -> Pairs:
    """Keyspaces has one region where none is named."""
    factors = {name: str(copies) for name, copies in (settings.datacentres or {}).items()}
    strategy = "NetworkTopologyStrategy" if factors else "SingleRegionStrategy"
    return tuple(sorted({"class": strategy, **factors}.items()))


def _advised(ttl_seconds: int, environment: CassandraEnvironment) -> Compaction:
    if ttl_seconds:
        return windows_of(ttl_seconds)
    flavour = FLAVOURS[environment.flavour]
    return Unified() if flavour.has("UnifiedCompactionStrategy", environment.version) else SizeTiered()


def _reports(environment: CassandraEnvironment, option: str) -> bool:
    return FLAVOURS[environment.flavour].has(f"option {option}", environment.version)


def _without_defaults(options: Options, environment: CassandraEnvironment) -> Options:
    """Options as far as the flavour has them; what was declared otherwise stays, to be refused."""
    return tuple(one for one in options if one not in DEFAULTS or _reports(environment, one[0]))


def _suffix(generation: int) -> str:
    """What a physical name ends with."""
    return f"_k{generation}" if generation > 1 else ""


def _declared(name: str) -> tuple[str, int]:
    """Declared name and generation of a physical name."""
    suffix = GENERATION.search(name)
    return GENERATION.sub("", name), int(suffix[1]) if suffix else 1


def _spoken_of(live: _Stored, wanted: _Stored) -> _Stored:
    if any(name == "compaction" for name, _ in wanted.options):
        return live
    return replace(live, options=tuple(one for one in live.options if one[0] != "compaction"))


def object_of(keyspace: KeyspaceTarget, binding: Binding) -> str:
    """See `Engine.object_of`: the table behind its keyspace, with a dot between."""
    spec = binding.spec
    assert isinstance(spec, CqlTable)
    suffix = f"_k{spec.generation}" if spec.generation > 1 else ""
    return f"{keyspace.name}.{spec.name}{suffix}"


def home(environment: CassandraEnvironment, store: str) -> str:
    """See `Engine.home`: one keyspace for the histories of all."""
    return f"{environment.keyspace_prefix}kw_meta"


def is_untouched(keyspace: KeyspaceTarget, live: Description | None) -> bool:
    """See `Engine.is_untouched`: tables of others do not count."""
    found: Any = live["native"] if live else {}
    return not any(table.name in found.get("tables", {}) for table in keyspace.tables)
