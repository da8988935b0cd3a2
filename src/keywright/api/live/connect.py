"""Connections to the stores of an environment: on local servers, or at the environment's addresses."""

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from typing import Any

from keywright import local
from keywright.compiler import localised
from keywright.engines.contract.ledger import Ledger
from keywright.engines.interface import Driver, StatementFailed
from keywright.engines.registry import engine_of, module_of
from keywright.errors import Unavailable, UsageError, quoted
from keywright.local import WantedServer
from keywright.migrations.run.store import StoreConnection
from keywright.project.environments.environment import Environment, read_environment, read_region
from keywright.project.settings import Settings
from keywright.record import Record

from .addresses import address_of, configured, server_of
from .local_servers import connected, instance_named, running_servers


class StoreSelector(Record):
    """Choice of a project's environment, or of its local servers."""

    settings: Settings
    """Settings of the project."""
    environment: str
    """Name of the environment."""
    is_local: bool
    """Whether the servers of `keywright local` replace those of the environment."""
    addresses: Mapping[str, str] | None = None
    """Addresses from a stack's configuration by key, such as `mongodbUri`; they take precedence over variables. None if
    it was not read yet: then variables take precedence, and it is read afterwards."""


def environment_of(where: StoreSelector) -> Environment:
    """Environment; for local servers, with the versions of the running servers."""
    environment = read_environment(where.settings, where.environment)
    if not where.is_local:
        return environment
    instances = [WantedServer(engine, engine) for engine in local.with_recipes(environment.engines)]
    running = local.running(where.settings.state / "local", instances)
    return localised(environment, {server.instance.engine: server.version for server in running})


@contextmanager
def opened(where: StoreSelector, stores: Iterable[str]) -> Iterator[dict[str, StoreConnection]]:
    """Connections to these stores; Unavailable if a server cannot be reached, UsageError if its address is missing."""
    names = sorted(set(stores))
    environment = read_environment(where.settings, where.environment)
    with ExitStack() as stack:
        if where.is_local:
            drivers, environment = _local_drivers(where, names, environment, stack)
        else:
            drivers_by_address: dict[tuple[str, str], Driver] = {}
            drivers = {store: _remote(store, where, stack, drivers_by_address) for store in names}
        history_store = _history_store(environment, names, drivers, where, stack)
        yield {store: _site(store, drivers[store], environment, history_store, where) for store in names}


def server_named(where: StoreSelector, store: str) -> str:
    """Server of a store in a remote environment, in the form of `server_of`."""
    return server_of(store.partition("/")[0], _address(store, where)[1])


def _site(
    store: str, driver: Driver, environment: Environment, history_store: tuple[str, Driver] | None, where: StoreSelector
) -> StoreConnection:
    """Connection whose history is in the store itself, or in the store that the environment names for its engine."""
    engine = engine_of(store)
    part = environment.of(engine.name)
    if part is None:
        problem = (
            f'{store} is in the migrations, and environment "{environment.name}" has no section for {engine.title}'
        )
        raise UsageError(problem, f"add {engine.name}: {{flavour: {engine.name}}} to its stack file")
    ledger = _ledger(store, store, driver, environment)
    if not engine.has_own_history and history_store is not None:
        ledger = _ledger(store, *history_store, environment)
    is_stacked = not where.is_local and getattr(part, "managed_by", None) == "pulumi"
    executor = "pulumi" if is_stacked else "runner"
    return StoreConnection(store=store, engine=engine, environment=part, driver=driver, ledger=ledger, by=executor)


def _ledger(store: str, home: str, driver: Driver, environment: Environment) -> Ledger:
    engine = engine_of(home)
    part: Any = environment.of(engine.name)
    return driver.ledger(engine.home(part, home), store)


def _local_drivers(
    where: StoreSelector, stores: Iterable[str], environment: Environment, stack: ExitStack
) -> tuple[dict[str, Driver], Environment]:
    instances = {store: instance_named(store) for store in stores}
    instances_to_open = dict.fromkeys(instances.values())
    if (history := _named_history(environment)) is not None:
        instances_to_open[instance_named(history)] = None
    running = running_servers(where.settings, instances_to_open)
    missing = [str(instance) for instance in instances_to_open if instance not in running]
    if missing:
        raise UsageError(f"{quoted(missing)} must run for this command", "start it with `keywright local up`")
    versions = {server.instance.engine: server.version for server in running.values()}
    drivers = {instance: stack.enter_context(connected(server)) for instance, server in running.items()}
    return {store: drivers[instance] for store, instance in instances.items()}, localised(environment, versions)


def _history_store(
    environment: Environment,
    stores: Iterable[str],
    drivers: Mapping[str, Driver],
    where: StoreSelector,
    stack: ExitStack,
) -> tuple[str, Driver] | None:
    """(store, driver) for the histories of stores that cannot contain them; None if each store contains its own."""
    name = _named_history(environment)
    if name is None or all(engine_of(store).has_own_history for store in stores):
        return None
    if name in drivers:
        return name, drivers[name]
    if where.is_local:
        (server,) = running_servers(where.settings, [instance_named(name)]).values()
        return name, stack.enter_context(connected(server))
    return name, _remote(name, where, stack, {})


def _named_history(environment: Environment) -> str | None:
    """The store in `history:`; None if `history:` names an engine whose stores contain their own histories."""
    name = environment.history
    return None if name is None or ("/" not in name and not engine_of(name).has_own_history) else name


def _remote(store: str, where: StoreSelector, stack: ExitStack, drivers: dict[tuple[str, str], Driver]) -> Driver:
    """Driver of a store of an environment, shared by all stores at the same address.

    drivers: the drivers so far, by engine and address.
    """
    engine = store.partition("/")[0]
    source, address = _address(store, where)
    if (engine, address) in drivers:
        return drivers[engine, address]
    module = module_of(engine, "driver")
    try:
        driver: Driver = module.connect(address)
    except StatementFailed as failure:
        raise Unavailable(f"{store}: {failure}", f"check that it runs, and the address in {source}") from failure
    stack.callback(driver.close)
    drivers[engine, address] = driver
    return driver


def _address(store: str, where: StoreSelector) -> tuple[str, str]:
    """(source, address) of a store, with the region of a service."""
    source, address = address_of(store, where.addresses, lambda: configured(where.settings.root, where.environment))
    if address == "aws:":
        address += read_region(where.settings, where.environment) or os.environ.get("AWS_REGION", "")
    return source, address
