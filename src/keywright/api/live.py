"""A project on the local servers: create what is missing, prove that it is there, tell what there is."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Protocol

from keywright import local
from keywright.compiler import Compiled, Placed, Project, localised, try_compile
from keywright.engines.compare import Difference, differences
from keywright.engines.interface import Description, Driver, StatementFailed
from keywright.engines.registry import ENGINES
from keywright.errors import DeclarationErrors, Unavailable, quoted
from keywright.history.runner import Done, run
from keywright.local import Instance, Running
from keywright.project.settings import Settings

START = "start them with `keywright local up`"

Tell = Callable[[Placed, Done], None]
"""Told of every step after its turn."""


@dataclass(slots=True)
class Applied:
    """One target after `apply`."""

    target: Placed
    """What was wanted."""
    done: list[Done]
    """What became of its steps."""
    differences: list[Difference] = field(default_factory=list)
    """What still differs in the live store."""

    @property
    def has_conflict(self) -> bool:
        """Whether something else stood in an object's place."""
        return any(done.outcome == "conflict" for done in self.done)


@dataclass(frozen=True, slots=True)
class Inspected:
    """One thing that a live store holds."""

    store: str
    """Its store."""
    description: Description
    """What it is."""


def local_instances(compiled: Compiled) -> tuple[Instance, ...]:
    """The servers that a project needs: one per engine, for Redis one per declared server."""
    return tuple(dict.fromkeys(instance_of(one) for one in compiled.targets))


def instance_of(target: Placed) -> Instance:
    """The local server that holds a target."""
    return instance_named(target.store)


def instance_named(store: str) -> Instance:
    """The local server of a store: one per engine, of Redis one for each declared server."""
    engine, _, name = store.partition("/")
    return Instance(engine, name if engine == "redis" else engine)


def running_servers(settings: Settings, wanted: Iterable[Instance]) -> dict[Instance, Running]:
    """Those of the wanted local servers that run.

    Raises Unavailable if none does, or one that KEYWRIGHT_REQUIRE_ENGINES names.
    """
    wanted = tuple(wanted)
    found = {one.instance: one for one in local.running(settings.state / "local", wanted)}
    required = local.required_engines(local.RECIPES)
    missing = [one for one in wanted if one not in found]
    if wanted and not found:
        raise Unavailable("no local server runs", START)
    if lacking := [str(one) for one in missing if one.engine in required]:
        raise Unavailable(f"{quoted(lacking)} must run, and does not", START)
    return {instance: found[instance] for instance in wanted if instance in found}


def compile_for(project: Project, compiled: Compiled, servers: Iterable[Running]) -> Compiled:
    """The project as these servers can hold it: their flavour and version in place of the environment's.

    Raises DeclarationErrors for what a server's version lacks.
    """
    versions = {server.instance.engine: server.version for server in servers}
    made, errors = try_compile(project, localised(compiled.environment, versions))
    if errors:
        raise DeclarationErrors("the local servers lack what the models use", errors)
    return made


def apply_local(project: Project, compiled: Compiled, *, tell: Tell) -> list[Applied]:
    """Create on the running local servers what is missing, then read everything back and compare.

    Nothing that is there is ever changed or dropped. Targets whose server does not run are left out.
    Raises Unavailable if none runs, ApplyError if a statement fails, DeclarationErrors for what a version lacks.
    """
    servers = running_servers(project.settings, local_instances(compiled))
    applied: list[Applied] = []
    placed = compile_for(project, compiled, servers.values())
    for instance, server in servers.items():
        with connected(server) as driver:
            here = (target for target in placed.targets if instance_of(target) == instance)
            applied += (_apply(target, instance, driver, tell) for target in here)
    return applied


def _apply(target: Placed, instance: Instance, driver: Driver, tell: Tell) -> Applied:
    engine = target.engine
    done = run(engine.create(target.placed), driver, tell=lambda one: tell(target, one))
    with answering(instance):
        return Applied(target, done, list(verify(target, driver)))


def verify(target: Placed, driver: Driver) -> Iterator[Difference]:
    """What differs between a target and the live store, in the native half."""
    name = target.placed.name
    description = driver.introspect([name])[name]
    if description is None:
        yield Difference((), name, None)
        return
    live = target.engine.managed(target.engine.parse(description), target.placed)
    wanted = target.engine.describe(target.placed)["native"]
    yield from differences(wanted, target.engine.describe(live)["native"])


def inspect_local(settings: Settings, engines: Iterable[str] = ()) -> list[Inspected]:
    """What the running local servers hold, by store and name.

    engines: only these; all by default. Raises Unavailable if none of them runs.
    """
    chosen = set(engines) or {engine.name for engine in ENGINES}
    named = [Instance(engine, engine) for engine in local.RECIPES]  # looked for behind the variables too
    servers = [one for one in local.running(settings.state / "local", named) if one.instance.engine in chosen]
    if not servers:
        raise Unavailable("no local server runs", START)
    found: list[Inspected] = []
    for server in servers:
        with connected(server) as driver, answering(server.instance):
            described = sorted(driver.introspect(_names(server.instance, driver)).items())
            found += (Inspected(_store(server.instance, name), one) for name, one in described if one is not None)
    return found


def _names(instance: Instance, driver: Driver) -> tuple[str, ...]:
    """What there is to describe; a Redis server knows no name of its own."""
    return (instance.name,) if instance.engine == "redis" else driver.names()


def _store(instance: Instance, name: str) -> str:
    return instance.engine if instance.engine == "dynamodb" else f"{instance.engine}/{name}"


class Reachable(Protocol):
    """A server that has an address."""

    @property
    def instance(self) -> Instance:
        """Which server of a project it is."""

    @property
    def url(self) -> str:
        """Its address, as the driver takes it."""


@contextmanager
def connected(server: Reachable) -> "Iterator[Driver]":
    """A driver for one server, closed at the end."""
    module: Any = import_module(f"keywright.drivers.{server.instance.engine}")
    with answering(server.instance):
        driver: Driver = module.connect(server.url)
    try:
        yield driver
    finally:
        driver.close()


@contextmanager
def answering(subject: object) -> "Iterator[None]":
    """Within the block, what a server refuses, or that it does not answer, is an error of the command.

    subject: the server, or the object in it, as messages name it.
    """
    try:
        yield
    except StatementFailed as failure:
        help = "`keywright local status` shows what runs, `keywright apply --local` what differs from the models"
        raise Unavailable(f"{subject}: {failure}", help) from failure
