"""Scratch stores: a project's targets under temporary names, beside a server's other stores, and dropped afterwards."""

import secrets
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from keywright.compiler import Placed, localised
from keywright.engines.environment import EngineEnvironment as EngineEnvironment
from keywright.engines.interface import Driver, StatementFailed
from keywright.engines.registry import engine_named, module_of
from keywright.errors import Unavailable
from keywright.local import WantedServer
from keywright.project.environments.environment import Environment
from keywright.record import Record, replace

from ..live.local_servers import answering, connected

PREFIX = "kwproof"
"""Prefix of the names of scratch stores."""


class Server(Record):
    """A server for proofs."""

    instance: WantedServer
    """The project's server that it replaces."""
    url: str
    """Its address, in the driver's form."""
    version: str
    """The version that it reports."""
    is_ours: bool = False
    """Whether it was started for this project, so that it has no other clients."""


def new_prefix() -> str:
    """A prefix that no other scratch store's name has."""
    return f"{PREFIX}_{secrets.token_hex(4)}_"


def server_at(instance: WantedServer, url: str) -> Server:
    """A server at an address of the user; Unavailable if it does not answer."""
    module = module_of(instance.engine, "driver")
    with answering(instance):
        if not module.is_ready(url):
            raise StatementFailed(f'no server answers at "{url}"')
        return Server(instance, url, module.version(url))


def environment(of: Environment, servers: "list[Server]", prefix: str) -> Environment:
    """The environment for these servers, with prefixed names; with an empty prefix, its usual names."""
    local = localised(of, {server.instance.engine: server.version for server in servers})
    parts: dict[str, EngineEnvironment] = dict(local.engines)
    if prefix:
        parts = {engine: engine_named(engine).apart(part, prefix) for engine, part in parts.items()}
    return replace(local, engines=parts)


@contextmanager
def scratch(server: Server, used: set[str], *, needs_first: bool = False) -> Iterator[Driver]:
    """A driver for a server's scratch stores; if names have no prefix, a driver for an empty part of the server.

    needs_first: whether it must be the first part.
    used: addresses of parts that this run already uses; the chosen one is added.
    """
    module = module_of(server.instance.engine, "driver")
    if hasattr(module, "empty_part"):
        with answering(server.instance):
            server = replace(server, url=_empty_part(module, server, used, needs_first=needs_first))
    with connected(server) as driver:
        yield driver


@contextmanager
def without_scans(servers: "list[Server]") -> Iterator[None]:
    """Within the block, this project's servers reject queries without an index, if they support that."""
    with ExitStack() as stack:
        for server in servers:
            module = module_of(server.instance.engine, "driver")
            if server.is_ours and hasattr(module, "refusing_scans"):
                with answering(server.instance):
                    stack.enter_context(module.refusing_scans(server.url))
        yield


def _empty_part(module: Any, server: Server, used: set[str], *, needs_first: bool) -> str:
    url: str | None = module.empty_part(server.url, PREFIX, used, needs_first=needs_first)
    if url is None:
        problem, help = module.NO_FIRST_PART if needs_first else module.NO_EMPTY_PART
        raise Unavailable(f"{server.instance}: {problem}", help)
    used.add(url)
    return url


def drop(driver: Driver, targets: "list[Placed]") -> None:
    """Drop scratch targets, and no others."""
    assert all(target.engine.nouns.is_server or target.placed.name.startswith(PREFIX) for target in targets)
    driver.drop([target.placed.name for target in targets])
