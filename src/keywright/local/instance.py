"""The servers to start, and the running servers: as `up`, `status` and `running` return them, and as variables."""

from collections.abc import Iterable
from pathlib import Path

from keywright.local.recipes.table import recipe_of
from keywright.local.record import ServerRecord
from keywright.record import Record


class WantedServer(Record):
    """A server that a project needs."""

    engine: str
    """Name of the engine."""
    name: str
    """Name of the declared server for Redis; the engine's name for engines with one server."""

    def __str__(self) -> str:
        return self.engine if self.name == self.engine else f"{self.engine}/{self.name}"


class Running(Record):
    """A running server."""

    instance: WantedServer
    """The server."""
    pid: int | None
    """Its process; None for a server from a variable, which keywright does not stop."""
    port: int | None
    """Its first port; None if the address has no single port."""
    url: str
    """Its address in the form of the driver."""
    source: str
    """The source of its program or address."""
    version: str
    """The version that it reports, such as `6.0.5`, `5.0.9`, `valkey 9.1.2`; empty if it reports none."""


def folder_of(folder: Path, instance: WantedServer) -> Path:
    """The folder of one server in the project's folder, with its name for engines with several servers."""
    own = folder / instance.engine
    return own / instance.name if recipe_of(instance.engine).is_one_per_server else own


def from_record(record: ServerRecord) -> Running:
    """The running server of a record."""
    url = recipe_of(record.engine).url(record.port)
    instance = WantedServer(record.engine, record.name)
    return Running(instance, record.pid, record.port, url, record.source, record.version)


def exports(servers: Iterable[Running]) -> dict[str, str]:
    """Environment variables with the addresses of some servers; a variable of several servers is the first one's."""
    variables: dict[str, str] = {}
    for server in sorted(servers, key=lambda running: (running.instance.engine, running.instance.name)):
        instance = server.instance
        for name, value in recipe_of(instance.engine).exports(instance.name, server.url):
            variables.setdefault(name, value)
    return variables
