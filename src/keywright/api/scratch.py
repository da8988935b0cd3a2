"""Scratch stores: a project's targets under names of their own beside whatever a server holds, gone afterwards."""

import secrets
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any

from keywright.compiler import Placed, localised
from keywright.engines.environment import Environment as EngineEnvironment
from keywright.engines.interface import Driver, StatementFailed
from keywright.errors import Unavailable
from keywright.local import Instance
from keywright.project.environment import Environment

from .live import answering, connected

PREFIX = "kwproof"
"""What the names in a scratch store begin with."""

PREFIXES = {"dynamodb": "name_prefix", "mongodb": "database_prefix", "cassandra": "keyspace_prefix"}
"""The setting of each engine that keeps names apart; in Redis logical databases do."""

THROWN_AWAY: dict[str, dict[str, Any]] = {"dynamodb": {"protect": False, "billing": "on-demand", "tables": {}}}
"""Settings of what is thrown away: nothing that protects it, and nothing that is paid for in advance."""

DATABASES = range(15, 0, -1)
"""Logical databases of a Redis server of which an empty one is taken; 0 is the application's."""


@dataclass(frozen=True, slots=True)
class Server:
    """A server that proofs run on."""

    instance: Instance
    """Which of the project's servers it stands for."""
    url: str
    """Its address, as the driver takes it."""
    version: str
    """What it calls itself."""
    is_ours: bool = False
    """Whether it was started for this project, so that nobody else asks it anything meanwhile."""


def fresh_prefix() -> str:
    """A prefix that no other scratch store's name has."""
    return f"{PREFIX}_{secrets.token_hex(4)}_"


def server_at(instance: Instance, url: str) -> Server:
    """A server that somebody named by its address; Unavailable if it does not answer."""
    module: Any = import_module(f"keywright.drivers.{instance.engine}")
    with answering(instance):
        if not module.is_ready(url):
            raise StatementFailed(f'nothing answers at "{url}"')
        return Server(instance, url, module.version(url))


def environment(of: Environment, servers: "list[Server]", prefix: str) -> Environment:
    """The environment as these servers serve it, with names of its own; with an empty prefix, under its usual names."""
    local = localised(of, {server.instance.engine: server.version for server in servers})
    parts: dict[str, EngineEnvironment] = dict(local.engines)
    for engine, setting in PREFIXES.items():
        if prefix and engine in parts:
            part: Any = parts[engine]
            parts[engine] = replace(part, **{setting: prefix}, **THROWN_AWAY.get(engine, {}))
    return replace(local, engines=parts)


@contextmanager
def scratch(server: Server, taken: set[str]) -> Iterator[Driver]:
    """A driver of a server's scratch part; for Redis one that sees an empty logical database alone.

    taken: addresses of databases that others of this run have; the one that is found is added.
    """
    if server.instance.engine == "redis":
        module: Any = import_module(f"keywright.drivers.{server.instance.engine}")
        with answering(server.instance):
            server = replace(server, url=_empty_database(module, server, taken))
    with connected(server) as driver:
        yield driver


@contextmanager
def without_scans(servers: "list[Server]") -> Iterator[None]:
    """Within the block, servers of ours that can do so refuse what no index serves."""
    with ExitStack() as stack:
        for server in servers:
            module: Any = import_module(f"keywright.drivers.{server.instance.engine}")
            if server.is_ours and hasattr(module, "refusing_scans"):
                with answering(server.instance):
                    stack.enter_context(module.refusing_scans(server.url))
        yield


def _empty_database(module: Any, server: Server, taken: set[str]) -> str:
    base = server.url.rstrip("/")
    for number in DATABASES:
        url = f"{base}/{number}"
        with module.client(url) as asking:
            # Who sets the mark has the database, however many look at it at once.
            if url not in taken and asking.dbsize() == 0 and asking.set(PREFIX, "taken", nx=True):
                taken.add(url)
                return url
    help = "empty one of them with FLUSHDB, or start the server anew: `keywright local down`, `keywright local up`"
    raise Unavailable(f"{server.instance}: no logical database from {DATABASES[-1]} to {DATABASES[0]} is empty", help)


def drop(driver: Driver, targets: "list[Placed]") -> None:
    """Remove what was made for the proofs; nothing but scratch targets is ever given here."""
    assert all(one.engine.name == "redis" or one.placed.name.startswith(PREFIX) for one in targets)
    driver.drop([one.placed.name for one in targets])
