"""The local servers of a project: which it needs, which run, and connections to them."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Protocol

from keywright import local
from keywright.compiler import Compiled, Placed, Project, localised, try_compile
from keywright.engines.interface import Driver, Engine, StatementFailed
from keywright.engines.registry import facts_of, module_of
from keywright.errors import DeclarationErrors, Unavailable, quoted
from keywright.local import Running, WantedServer
from keywright.project.settings import Settings

START = "start them with `keywright local up`"


def local_instances(compiled: Compiled) -> tuple[WantedServer, ...]:
    """The local servers that a project needs: one per engine, or one per declared server if targets are servers."""
    return tuple(dict.fromkeys(instance_of(target) for target in compiled.targets))


def products_of(compiled: Compiled) -> dict[str, str]:
    """The product of each engine's local servers, where the usual one lacks what the models use."""
    return products_for((target.engine, target.declared) for target in compiled.targets)


def products_for(targets: Iterable[tuple[Engine[Any, Any], Any]]) -> dict[str, str]:
    """The same for declared targets with their engines: all servers of an engine are of one product."""
    return {engine.name: product for engine, target in targets if (product := engine.local_product(target))}


def instance_of(target: Placed) -> WantedServer:
    """The local server of a target."""
    return instance_named(target.store)


def instance_named(store: str) -> WantedServer:
    """The local server of a store: one per engine, or one per declared server if targets are servers."""
    engine, _, name = store.partition("/")
    return WantedServer(engine, name if facts_of(engine).nouns.is_server else engine)


def running_servers(settings: Settings, servers: Iterable[WantedServer]) -> dict[WantedServer, Running]:
    """The given local servers that are running.

    Raises Unavailable if none is running, or if a server that KEYWRIGHT_REQUIRE_ENGINES names is not.
    """
    servers = tuple(servers)
    by_instance = {running.instance: running for running in local.running(settings.state / "local", servers)}
    required = local.required_engines(local.RECIPES)
    missing = [server for server in servers if server not in by_instance]
    if servers and not by_instance:
        raise Unavailable("no local server is running", START)
    if required_missing := [str(server) for server in missing if server.engine in required]:
        raise Unavailable(f"{quoted(required_missing)} must run, because KEYWRIGHT_REQUIRE_ENGINES names it", START)
    return {instance: by_instance[instance] for instance in servers if instance in by_instance}


def compile_for(project: Project, compiled: Compiled, servers: Iterable[Running]) -> Compiled:
    """The project compiled for these servers: with their flavour and version instead of the environment's.

    Raises DeclarationErrors for features that a server's version lacks.
    """
    versions = {server.instance.engine: server.version for server in servers}
    localised_project, errors = try_compile(project, localised(compiled.environment, versions))
    if errors:
        raise DeclarationErrors("the local servers lack features that the models use", errors)
    return localised_project


class Reachable(Protocol):
    """A server with an address."""

    @property
    def instance(self) -> WantedServer:
        """The project's server."""

    @property
    def url(self) -> str:
        """Its address, in the driver's form."""


@contextmanager
def connected(server: Reachable) -> "Iterator[Driver]":
    """A driver for one server, closed at the end of the block."""
    module = module_of(server.instance.engine, "driver")
    with answering(server.instance):
        driver: Driver = module.connect(server.url)
    try:
        yield driver
    finally:
        driver.close()


@contextmanager
def answering(subject: object) -> "Iterator[None]":
    """Turn a server's errors, within the block, into Unavailable.

    subject: the server, or its object, in messages.
    """
    try:
        yield
    except StatementFailed as failure:
        help = (
            "`keywright local status` shows the local servers; for other servers, check the address and whether it runs"
        )
        raise Unavailable(f"{subject}: {failure}", help) from failure
