"""The stores of an environment, opened: local servers, or those that the environment's addresses name."""

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from keywright import local
from keywright.compiler import localised
from keywright.engines.interface import Driver, StatementFailed
from keywright.engines.ledger import Ledger
from keywright.engines.registry import engine_of
from keywright.errors import Unavailable, UsageError, quoted
from keywright.history.site import Site
from keywright.local import Instance
from keywright.project.environment import Environment, read_environment, read_region
from keywright.project.settings import Settings

from .addresses import address_of, configured
from .live import connected, instance_named, running_servers

OWN = "redis"
"""The value of `history:` by which Redis stores keep their history themselves."""


@dataclass(frozen=True, slots=True)
class Where:
    """Which stores are meant."""

    settings: Settings
    """The project."""
    environment: str
    """Its environment."""
    is_local: bool
    """Whether the servers of `keywright local` stand for it."""
    addresses: Mapping[str, str] | None = None
    """Addresses that a stack's configuration gives, by its keys, such as `mongodbUri`: they win over variables. None
    where nobody has read it: variables win, and then it is read."""


def environment_of(where: Where) -> Environment:
    """The environment; of local servers as those serve it that run."""
    environment = read_environment(where.settings, where.environment)
    if not where.is_local:
        return environment
    running = local.running(where.settings.state / "local", [Instance(engine, engine) for engine in local.RECIPES])
    return localised(environment, {server.instance.engine: server.version for server in running})


@contextmanager
def opened(where: Where, stores: Iterable[str]) -> Iterator[dict[str, Site]]:
    """Sites of these stores; Unavailable if a server cannot be reached, UsageError if nobody said where it is."""
    wanted = sorted(set(stores))
    environment = read_environment(where.settings, where.environment)
    with ExitStack() as stack:
        if where.is_local:
            drivers, environment = _local_drivers(where, wanted, environment, stack)
        else:
            known: dict[tuple[str, str], Driver] = {}
            drivers = {store: _remote(store, where, stack, known) for store in wanted}
        keeper = _keeper(environment, wanted, drivers, where, stack)
        yield {store: _site(store, drivers[store], environment, keeper, where) for store in wanted}


def _site(
    store: str, driver: Driver, environment: Environment, keeper: tuple[str, Driver] | None, where: Where
) -> Site:
    """A site, whose history is in the store itself, or a Redis server's where the environment says."""
    engine = engine_of(store)
    part = environment.of(engine.name)
    if part is None:
        problem = f'{store} is in the migrations, and environment "{environment.name}" has no part for {engine.title}'
        raise UsageError(problem, f"add {engine.name}: {{flavour: {engine.name}}} to its stack file")
    ledger = _ledger(store, store, driver, environment)
    if engine.name == "redis" and keeper is not None:
        ledger = _ledger(store, *keeper, environment)
    is_stacked = not where.is_local and getattr(part, "managed_by", None) == "pulumi"
    by = "pulumi" if is_stacked else "runner"
    return Site(store=store, engine=engine, environment=part, driver=driver, ledger=ledger, by=by)


def _ledger(store: str, home: str, driver: Driver, environment: Environment) -> Ledger:
    engine = engine_of(home)
    part: Any = environment.of(engine.name)
    return driver.ledger(engine.home(part, home), store)


def _local_drivers(
    where: Where, stores: Iterable[str], environment: Environment, stack: ExitStack
) -> tuple[dict[str, Driver], Environment]:
    instances = {store: instance_named(store) for store in stores}
    asked = dict.fromkeys(instances.values())
    if environment.history and environment.history != OWN:
        asked[instance_named(environment.history)] = None
    running = running_servers(where.settings, asked)
    missing = [str(one) for one in asked if one not in running]
    if missing:
        raise UsageError(f"{quoted(missing)} must run, and does not", "start it with `keywright local up`")
    versions = {server.instance.engine: server.version for server in running.values()}
    drivers = {one: stack.enter_context(connected(server)) for one, server in running.items()}
    return {store: drivers[one] for store, one in instances.items()}, localised(environment, versions)


def _keeper(
    environment: Environment, stores: Iterable[str], drivers: Mapping[str, Driver], where: Where, stack: ExitStack
) -> tuple[str, Driver] | None:
    """(store, driver) that keeps the histories of Redis servers; None where each keeps its own."""
    name = environment.history
    if name is None or name == OWN or not any(store.startswith("redis/") for store in stores):
        return None
    if name in drivers:
        return name, drivers[name]
    if where.is_local:
        (server,) = running_servers(where.settings, [instance_named(name)]).values()
        return name, stack.enter_context(connected(server))
    return name, _remote(name, where, stack, {})


def _remote(store: str, where: Where, stack: ExitStack, known: dict[tuple[str, str], Driver]) -> Driver:
    """A driver of a store of an environment, at the address that somebody says; one for all stores that are there.

    known: the drivers so far, by engine and address.
    """
    engine = store.partition("/")[0]
    said_by, address = address_of(store, where.addresses, lambda: configured(where.settings.root, where.environment))
    if address == "aws:":
        address += read_region(where.settings, where.environment) or os.environ.get("AWS_REGION", "")
    if (engine, address) in known:
        return known[engine, address]
    module: Any = import_module(f"keywright.drivers.{engine}")
    try:
        driver: Driver = module.connect(address)
    except StatementFailed as failure:
        raise Unavailable(f"{store}: {failure}", f"see whether it runs, and what {said_by} says") from failure
    stack.callback(driver.close)
    known[engine, address] = driver
    return driver
