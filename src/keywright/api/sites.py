"""The stores of an environment, opened: local servers, or those that the environment's addresses name."""

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any
from urllib.parse import urlsplit

from keywright import local
from keywright.compiler import localised
from keywright.engines.interface import Driver, StatementFailed
from keywright.engines.ledger import Ledger
from keywright.engines.registry import ENGINES, engine_of
from keywright.errors import Unavailable, UsageError, quoted
from keywright.history.site import Site
from keywright.local import Instance
from keywright.local.environment import SCHEMES
from keywright.project.environment import Environment, read_environment, read_region
from keywright.project.settings import Settings

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
    addresses: Mapping[str, str] = field(default_factory=dict)
    """Addresses that a stack's configuration gives, by its keys, such as `mongodbUri`; they win over variables."""


def environment_of(where: Where) -> Environment:
    """The environment; of local servers as those serve it that run."""
    environment = read_environment(where.settings, where.environment, ENGINES)
    if not where.is_local:
        return environment
    running = local.running(where.settings.state / "local", [Instance(engine, engine) for engine in local.RECIPES])
    return localised(environment, {server.instance.engine: server.version for server in running})


@contextmanager
def opened(where: Where, stores: Iterable[str]) -> Iterator[dict[str, Site]]:
    """Sites of these stores; Unavailable if a server cannot be reached, UsageError if nobody said where it is."""
    wanted = sorted(set(stores))
    environment = read_environment(where.settings, where.environment, ENGINES)
    with ExitStack() as stack:
        if where.is_local:
            drivers, environment = _local_drivers(where, wanted, environment, stack)
        else:
            drivers = {store: _remote(store, where, stack) for store in wanted}
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
    return name, _remote(name, where, stack)


def _remote(store: str, where: Where, stack: ExitStack) -> Driver:
    """A driver of a store of an environment, at the address that somebody says."""
    module: Any = import_module(f"keywright.drivers.{store.partition('/')[0]}")
    said_by, address = address_of(store, where.addresses)
    if address == "aws:":
        address += read_region(where.settings, where.environment) or os.environ.get("AWS_REGION", "")
    try:
        driver: Driver = module.connect(address)
    except StatementFailed as failure:
        raise Unavailable(f"{store}: {failure}", f"see whether it runs, and what {said_by} says") from failure
    stack.callback(driver.close)
    return driver


def keys_of(store: str) -> tuple[str, str]:
    """The keys of a stack's configuration that say where a store is: its own, and that of its whole engine."""
    engine, _, name = store.partition("/")
    words = re.split(r"[^A-Za-z0-9]+", name)
    own = "".join(word[:1].upper() + word[1:] for word in words)
    return f"{engine}{own}Uri", f"{engine}Uri"


def address_of(store: str, addresses: Mapping[str, str]) -> tuple[str, str]:
    """(what says it, address) of a store: from a stack's configuration, else from `KEYWRIGHT_STORE_<ENGINE>_<NAME>`,
    else from `KEYWRIGHT_STORE_<ENGINE>`.

    UsageError if there is none, or none of that engine; it does not say the address, which may hold a password.
    """
    engine, _, name = store.partition("/")
    general = f"KEYWRIGHT_STORE_{engine.upper()}"
    own = f"{general}_{name.upper().replace('-', '_')}"
    said = {f"keywright:{key}": addresses.get(key) for key in keys_of(store)}
    said |= {variable: os.environ.get(variable) for variable in (own, general)}
    said_by, found = next(((key, value) for key, value in said.items() if value), ("", ""))
    if not found and engine == "dynamodb":
        return "aws:region", "aws:"  # the service itself, as boto3 finds it
    if not found:
        help = f"set {own} or {general}, or use --local; in a stack, `pulumi config set --secret keywright:{engine}Uri`"
        raise UsageError(f"nobody says where {store} is", help)
    if wrong := _wrong(engine, found):
        raise UsageError(f'"{said_by}" holds no address of {engine_of(engine).title}: {wrong[0]}', wrong[1])
    return said_by, found


def has_password(address: str) -> bool:
    """Whether an address holds a password."""
    try:
        return urlsplit(address).password is not None
    except ValueError:
        return True  # it cannot be read, and may


def _wrong(engine: str, address: str) -> tuple[str, str] | None:
    """What is wrong with an address, and what to do about it."""
    if engine == "dynamodb" and address.startswith("aws:"):
        return None
    schemes = SCHEMES[engine]
    if address.partition("://")[0] not in schemes:
        return "it begins otherwise", f"begin it with {' or '.join(f'{one}://' for one in schemes)}"
    try:
        for host in urlsplit(address).netloc.rpartition("@")[2].split(","):
            _ = urlsplit(f"//{host}").port
    except ValueError:
        help = "write it as scheme://user:password@host:port, with special characters of the password as %40 and so on"
        return "its host or port cannot be read", help
    return None
