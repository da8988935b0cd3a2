"""Which servers there are to start, and what runs; the values that `up`, `status` and `running` speak in."""

from dataclasses import dataclass
from pathlib import Path

from keywright.local.recipes import recipe_of
from keywright.local.record import Record


@dataclass(frozen=True, slots=True)
class Instance:
    """A server that a project wants."""

    engine: str
    """Name of the engine."""
    name: str
    """Name of the declared server for Redis; the engine's name where one server serves them all."""

    def __str__(self) -> str:
        return self.engine if self.name == self.engine else f"{self.engine}/{self.name}"


@dataclass(frozen=True, slots=True)
class Running:
    """A server that runs."""

    instance: Instance
    """Which one."""
    pid: int | None
    """Its process; none when a variable names a server that is not ours to stop."""
    port: int | None
    """Its first port; none when its address tells none."""
    url: str
    """Its address, as the driver takes it."""
    source: str
    """Where its program, or its address, came from."""
    version: str
    """What it calls itself, such as `6.0.5`, `5.0.9`, `valkey 9.1.2`; empty when it doesn't say."""


def folder_of(folder: Path, instance: Instance) -> Path:
    """The folder of one server below the project's: always with its name where an engine has several."""
    own = folder / instance.engine
    return own / instance.name if recipe_of(instance.engine).is_one_per_server else own


def from_record(record: Record) -> Running:
    """The running server that a record tells of."""
    url = recipe_of(record.engine).url(record.port)
    instance = Instance(record.engine, record.name)
    return Running(instance, record.pid, record.port, url, record.source, record.version)
