"""The definition of a recipe for a local server, and the two results of locating its program."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Protocol

from keywright.local.environment import url_variable
from keywright.local.fetch.cache import Fetching
from keywright.local.fetch.platforms import Platform
from keywright.local.server_program import FoundServer, UnavailableServer
from keywright.record import Record, field, replace


class ServerProbe(Protocol):
    """Queries of a running server, which each `keywright.drivers.<engine>` module implements."""

    def is_ready(self, url: str) -> bool:
        """Whether a real operation works on the server at `url`."""
        ...

    def version(self, url: str) -> str:
        """The version that the server at `url` reports; empty if it reports none."""
        ...


def nothing(url: str) -> None:
    """The preparation of a server that needs none."""


def no_variables(name: str, url: str) -> Iterator[tuple[str, str]]:
    """No variables, because clients read none."""
    yield from ()


def on_loopback(server: FoundServer) -> str:
    """No warning, because the program listens only on loopback."""
    return ""


class Product(Record):
    """Another program for an engine, with features that the usual one lacks."""

    title: str
    """Name of the fetched server."""
    licence: str
    """Its licence terms, shown before the first fetch."""
    locate: Callable[[Path], FoundServer | UnavailableServer]
    """See `Recipe.locate`."""
    fetch: Callable[[Fetching], FoundServer | UnavailableServer]
    """See `Recipe.fetch`."""
    container: str
    """A command that starts the same kind of server in a container."""
    platforms: tuple[Platform, ...]
    """The fetched packages per platform."""


class Recipe(Record):
    """The functions and parameters that find, fetch, start and stop one engine's server."""

    engine: str
    """Name of the engine."""
    title: str
    """Name of the fetched server: `MongoDB 6.0.5`."""
    licence: str
    """Its licence terms, shown before the first fetch."""
    locate: Callable[[Path], FoundServer | UnavailableServer]
    """Locates the program, given the cache: environment variable, this machine, cache, in this order."""
    fetch: Callable[[Fetching], FoundServer | UnavailableServer]
    """Fetches what `locate` does not find into the cache."""
    command: Callable[[FoundServer, Path, int], tuple[str, ...]]
    """The command line, given the data folder (its working folder) and the first port; writes the settings files."""
    url: Callable[[int], str]
    """The address of the server on a port."""
    driver: Callable[[], ServerProbe]
    """The engine's driver, imported on demand; raises Unavailable if its extra is not installed."""
    container: str
    """A command that starts the same kind of server in a container."""
    container_url: str
    """The address of that container's server."""
    platforms: tuple[Platform, ...]
    """The fetched packages per platform."""
    prepare: Callable[[str], None] = nothing
    """Prepares a new server, given its address; called until it is ready."""
    ports: int = 1
    """Number of consecutive ports."""
    stop_seconds: float = 5
    """Time for a graceful stop; 0 to kill it at once."""
    ready_seconds: float = 60
    """Time limit of the start."""
    exposed: Callable[[FoundServer], str] = on_loopback
    """A warning if other machines can reach the program; empty if they cannot."""
    exports: Callable[[str, str], Iterator[tuple[str, str]]] = no_variables
    """(name of the server, its address): environment variables for clients in a shell."""
    is_one_per_server: bool = False
    """Whether each declared server is a process of its own, instead of one process for the engine."""

    products: Mapping[str, Product] = field(default_factory=dict)
    """Other programs for the engine, by the flavour that a target needs."""

    def of(self, product: str) -> "Recipe":
        """The recipe with the program of a product; empty for the usual one."""
        if product not in self.products:
            return self
        chosen = self.products[product]
        return replace(
            self,
            title=chosen.title,
            licence=chosen.licence,
            locate=chosen.locate,
            fetch=chosen.fetch,
            container=chosen.container,
            platforms=chosen.platforms,
        )

    def missing(self, unavailable: UnavailableServer) -> UnavailableServer:
        """The result with a further way in its help: a container, with its address in a variable."""
        variable = url_variable(self.engine)
        container = f"  {self.container}\n  export {variable}={self.container_url}"
        help = f"{unavailable.help}, or start a container and set its address:\n{container}"
        return UnavailableServer(unavailable.reason, help)
