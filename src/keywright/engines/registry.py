"""Every engine: the modules with its parts, each imported on first use.

An engine of another package has an entry point of the group `keywright.engines`, which names its `EngineModules`. Entry
points are read for unknown names of engines and modules only: reading them takes 45 ms.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar

from keywright.errors import UsageError, did_you_mean, quoted
from keywright.record import Record

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from .contract.adoption import Adoption
    from .contract.facts import EngineFacts
    from .contract.stack_tables import StackTables
    from .interface import Engine

PartT = TypeVar("PartT")

GROUP = "keywright.engines"
"""Group of entry points for engines of other packages: the name of the engine, and its `EngineModules`."""


class EngineModules(Record, kw_only=True):
    """The full names of the modules with an engine's parts."""

    engine: str
    """Module with `ENGINE`, an `Engine`."""
    facts: str
    """Module with `FACTS`, an `EngineFacts`; it is imported without the engine."""
    driver: str
    """Module with `connect(url)`, a `Driver`, and with `is_ready(url)` and `version(url)`."""
    runtime: str
    """Package with `codec(binding, model)`, and the modules `clients`, `execute` and `limits`."""
    local: str = ""
    """Module with `RECIPE` and `exports(server)`; empty for an engine without a local server."""
    rules: str = ""
    """Module with `CATALOGUE`, a `RuleCatalogue`; empty for an engine without rules."""
    migration_rules: str = ""
    """Module with `RULES`, migration rules for this engine only; empty for an engine without any."""
    program: str = ""
    """Module with `TARGETS`, a `ProgramTargets`; empty if no Pulumi resource is a target."""
    stack: str = ""
    """Module with `STACK`, a `StackTables`; empty for an engine whose tables are resources of keywright's provider."""
    adoption: str = ""
    """Module with `ADOPTION`, an `Adoption`; empty for an engine whose stores cannot be adopted."""
    static: str = ""
    """Module with `FILE` and `program(…)`, its tables as a static Pulumi program; empty for an engine without one."""


BUILT_IN = {
    "dynamodb": EngineModules(
        engine="keywright.engines.dynamodb.engine",
        facts="keywright.engines.dynamodb.migrate.diff",
        driver="keywright.drivers.dynamodb.driver",
        runtime="keywright.runtime.dynamodb",
        local="keywright.local.recipes.dynamodb",
        rules="keywright.engines.dynamodb.catalogue",
        migration_rules="keywright.engines.dynamodb.migrate.findings",
        program="keywright.engines.dynamodb.schema.program",
        stack="keywright.engines.dynamodb.stack",
        adoption="keywright.engines.dynamodb.adopt.adoption",
        static="keywright.provision.dynamodb.static",
    ),
    "mongodb": EngineModules(
        engine="keywright.engines.mongodb.engine",
        facts="keywright.engines.mongodb.migrate.diff",
        driver="keywright.drivers.mongodb.driver",
        runtime="keywright.runtime.mongodb",
        local="keywright.local.recipes.mongodb",
        rules="keywright.engines.mongodb.catalogue",
        migration_rules="keywright.engines.mongodb.migrate.findings",
        program="keywright.engines.mongodb.schema.program",
        adoption="keywright.engines.mongodb.adopt.adoption",
    ),
    "cassandra": EngineModules(
        engine="keywright.engines.cassandra.engine",
        facts="keywright.engines.cassandra.migrate.diff",
        driver="keywright.drivers.cassandra.driver",
        runtime="keywright.runtime.cassandra",
        local="keywright.local.recipes.cassandra",
        rules="keywright.engines.cassandra.catalogue",
        migration_rules="keywright.engines.cassandra.migrate.findings",
        program="keywright.engines.cassandra.schema.program",
        adoption="keywright.engines.cassandra.adopt.adoption",
    ),
    "redis": EngineModules(
        engine="keywright.engines.redis.engine",
        facts="keywright.engines.redis.migrate.diff",
        driver="keywright.drivers.redis.driver",
        runtime="keywright.runtime.redis",
        local="keywright.local.recipes.redis",
        rules="keywright.engines.redis.catalogue",
        migration_rules="keywright.engines.redis.migrate.findings",
        program="keywright.engines.redis.schema.program",
        adoption="keywright.engines.redis.adopt.adoption",
    ),
}
"""The engines of this package, in the order of reports."""

NAMES = tuple(BUILT_IN)
"""Their names."""


def is_engine(name: str) -> bool:
    """Whether this package or another installed package has an engine of this name."""
    return name in BUILT_IN or any(point.name == name for point in _entry_points())


def installed() -> list[str]:
    """Names of all engines, also of other packages."""
    return in_order({*NAMES, *(point.name for point in _entry_points())})


def in_order(names: Iterable[str]) -> list[str]:
    """Names of engines in the order of reports: those of this package, then others by name."""
    unique = set(names)
    return [*(name for name in NAMES if name in unique), *sorted(unique - {*NAMES})]


def is_of_engine(module: str) -> bool:
    """Whether a module is of keywright, or of the package of another engine; such modules are imported once."""
    if module.partition(".")[0] == __name__.partition(".")[0]:
        return True
    return any(f"{module}.".startswith(f"{point.module}.") for point in _entry_points())


@cache
def modules_of(name: str) -> EngineModules:
    """The modules of an engine; raises UsageError for an unknown, ambiguous or invalid one."""
    if name in BUILT_IN:
        return BUILT_IN[name]
    others = _entry_points()
    points = [point for point in others if point.name == name]
    if not points:
        names = [*NAMES, *sorted({point.name for point in others})]
        help = f"{did_you_mean(name, names)}; an engine of another package has an entry point in {GROUP}"
        raise UsageError(f'there is no engine "{name}"', help)
    if len(points) > 1:
        packages = quoted(sorted(_package(point) for point in points))
        raise UsageError(f'{len(points)} packages have an engine "{name}": {packages}', "uninstall all but one")
    return _loaded(points[0])


@cache
def _entry_points() -> "tuple[EntryPoint, ...]":
    """The engines of other packages."""
    from importlib.metadata import entry_points  # slow to import, and rarely needed

    return tuple(entry_points(group=GROUP))


def _loaded(point: "EntryPoint") -> EngineModules:
    """The modules that an entry point names."""
    source = f'engine "{point.name}" of the package "{_package(point)}"'
    try:
        modules: object = point.load()
    except Exception as error:  # an import can raise any exception
        reason = f"{type(error).__name__}: {error}"
        raise UsageError(f"{source} cannot be imported: {reason}", "repair the package, or uninstall it") from error
    if not isinstance(modules, EngineModules):
        problem = f'{source} is "{point.value}", a {type(modules).__name__}, but must be an EngineModules'
        raise UsageError(problem, f"name one in its entry point in {GROUP}: keywright.engines.registry.EngineModules")
    return modules


def _package(point: "EntryPoint") -> str:
    return point.dist.name if point.dist is not None else point.value.partition(":")[0]


def module_of(name: str, part: str) -> Any:
    """The module of a part of an engine, such as `driver`; None if the engine does not have the part."""
    module: str = getattr(modules_of(name), part)
    return import_module(module) if module else None


def runtime_of(name: str, part: str = "") -> Any:
    """The runtime package of an engine, or a module in it, such as `limits`."""
    package = modules_of(name).runtime
    return import_module(f"{package}.{part}" if part else package)


@cache
def engine_named(name: str) -> "Engine[Any, Any]":
    """The engine of this name; raises UsageError if there is none."""
    from .interface import Engine

    engine: Engine[Any, Any] = part_of(name, "engine", "ENGINE", Engine)
    return engine


def engine_of(store: str) -> "Engine[Any, Any]":
    """The engine of a store, such as `mongodb/content`."""
    return engine_named(store.partition("/")[0])


@cache
def facts_of(store: str) -> "EngineFacts":
    """The facts of a store's engine, without the rest of the engine."""
    from .contract.facts import EngineFacts

    return part_of(store.partition("/")[0], "facts", "FACTS", EngineFacts)


def adoption_of(name: str) -> "Adoption | None":
    """The functions of an engine for existing stores; None if they cannot be adopted."""
    from .contract.adoption import Adoption

    return part_of(name, "adoption", "ADOPTION", Adoption) if modules_of(name).adoption else None


@cache
def stack_tables() -> "Mapping[str, StackTables]":
    """Tables that are resources of a cloud's own Pulumi provider, by the type of their resource."""
    from .contract.stack_tables import StackTables

    all_tables = [part_of(name, "stack", "STACK", StackTables) for name in NAMES if modules_of(name).stack]
    return {tables.type: tables for tables in all_tables}


def stack_tables_of(engine: str) -> "StackTables | None":
    """The tables of one engine; None if its objects are resources of keywright's provider."""
    return next((tables for tables in stack_tables().values() if tables.engine == engine), None)


def part_of(name: str, part: str, word: str, kind: type[PartT]) -> PartT:
    """The value of a word in the module of a part of an engine; raises UsageError if it has another type."""
    value = getattr(module_of(name, part), word, None)
    if not isinstance(value, kind):
        problem = f'"{getattr(modules_of(name), part)}" has no {kind.__name__} with the name {word}'
        raise UsageError(problem, f'the {part} of the engine "{name}" must have one')
    return value


class _Engines(Collection["Engine[Any, Any]"]):
    def __iter__(self) -> "Iterator[Engine[Any, Any]]":
        return map(engine_named, NAMES)

    def __len__(self) -> int:
        return len(NAMES)

    def __contains__(self, engine: object) -> bool:
        return any(engine is registered for registered in self)


ENGINES: "Collection[Engine[Any, Any]]" = _Engines()
"""The engines of this package; iteration imports all of them."""
