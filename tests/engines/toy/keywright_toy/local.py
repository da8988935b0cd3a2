"""The local server: none is started, because a variable names the file."""

from pathlib import Path

from keywright.local.recipes.recipe import Recipe, ServerProbe
from keywright.local.server_program import FoundServer, UnavailableServer

_MISSING = UnavailableServer("a toy is a file", "name one: export KEYWRIGHT_TOY_URL=toy:///tmp/toy.json")


def _driver() -> ServerProbe:
    from . import driver

    return driver


def _command(server: FoundServer, data: Path, port: int) -> tuple[str, ...]:
    raise AssertionError("nothing is found, and so nothing is started")


RECIPE = Recipe(
    engine="toy",
    title="Toy",
    licence="",
    locate=lambda cache: _MISSING,
    fetch=lambda fetching: _MISSING,
    command=_command,
    url=lambda port: "",
    driver=_driver,
    container="",
    container_url="",
    platforms=(),
    exports=lambda name, url: iter((("TOY_URL", url),)),
)
"""See `Recipe`."""
