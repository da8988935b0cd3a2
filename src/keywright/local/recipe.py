"""What a recipe for a local server is, and the two answers to the question where its program is."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from keywright.local.cache import Fetching
from keywright.local.environment import url_variable
from keywright.local.platforms import Platform


@dataclass(frozen=True, slots=True)
class Found:
    """A server that can be started."""

    location: Path
    """Its program, or the folder with its jars."""
    source: str
    """Who provided it, such as `PATH` or `$KEYWRIGHT_MONGOD`."""
    java: Path | None = None
    """The Java that runs it; none for a program."""
    version: str = ""
    """Its version where the file names tell it; empty where the server has to be asked."""


@dataclass(frozen=True, slots=True)
class Missing:
    """Why a server can't be had and what to do about it: a value, since a missing engine is only skipped."""

    reason: str
    """Why, in a few words: `needs Java 17, found 25`."""
    help: str
    """What the user installs or types to have it; may have several lines."""


class Driver(Protocol):
    """What is asked of a running server; each `keywright.drivers.<engine>` module answers."""

    def is_ready(self, url: str) -> bool:
        """Whether a real operation works on the server at `url`."""
        ...

    def version(self, url: str) -> str:
        """The version that the server at `url` reports; empty when it reports none."""
        ...


def nothing(url: str) -> None:
    """The preparation of a server that needs none."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """How one engine's server is found, fetched, started and stopped."""

    engine: str
    """Name of the engine."""
    title: str
    """What is fetched, as people call it: `MongoDB 6.0.5`."""
    licence: str
    """The terms it comes under, shown before it is first fetched."""
    locate: Callable[[Path], Found | Missing]
    """Where the program is, given the cache: environment variable, this machine, cache, in this order."""
    fetch: Callable[[Fetching], Found | Missing]
    """Fetch what `locate` does not find into the cache."""
    command: Callable[[Found, Path, int], tuple[str, ...]]
    """The command line, given the data folder (which it runs in) and the first port; writes its settings there."""
    url: Callable[[int], str]
    """The address of the server that was started on a port."""
    driver: Callable[[], Driver]
    """The engine's driver, imported only now; raises Unavailable when its extra is not installed."""
    container: str
    """A command that starts the same kind of server in a container."""
    container_url: str
    """The address of that container's server."""
    platforms: tuple[Platform, ...]
    """What is fetched where."""
    prepare: Callable[[str], None] = nothing
    """What a new server needs before it is ready, given its address; called until it is."""
    ports: int = 1
    """How many ports in a row it takes."""
    stop_seconds: float = 5
    """How long it may take to end by itself; 0 to end it at once."""
    ready_seconds: float = 60
    """How long it may take to start."""
    is_one_per_server: bool = False
    """Whether each declared server is a process of its own, rather than one process for the whole engine."""

    def missing(self, why: Missing) -> Missing:
        """The same answer, its help ending with the way that always works: a container, named by a variable."""
        variable = url_variable(self.engine)
        container = f"  {self.container}\n  export {variable}={self.container_url}"
        return Missing(why.reason, f"{why.help}, or start a container and name it:\n{container}")
