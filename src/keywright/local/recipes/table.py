"""All recipes in listing order, and the table of servers by platform."""

from collections.abc import Iterable

from keywright.engines.registry import NAMES, in_order, is_engine, module_of, modules_of
from keywright.errors import UsageError, did_you_mean
from keywright.local.fetch.platforms import System, here
from keywright.local.recipes.recipe import Recipe
from keywright.record import Record

RECIPES: dict[str, Recipe] = {name: module_of(name, "local").RECIPE for name in NAMES}
"""The recipes of this package's engines."""


class PlatformRow(Record):
    """The source of one engine's server on one platform."""

    engine: str
    """Name of the engine."""
    title: str
    """Name of the server."""
    system: System
    """Operating system and processor."""
    fetched: str
    """The packages that are fetched if nothing is installed; empty if none exist."""
    is_tested: bool
    """Whether it was tested on this platform; for other platforms it follows the packages' own metadata."""
    is_here: bool
    """Whether this is the current platform."""
    licence: str
    """The licence terms of the server."""


def recipe_of(engine: str) -> Recipe:
    """The engine's recipe; raises UsageError if there is none."""
    if engine in RECIPES:
        return RECIPES[engine]
    module = module_of(engine, "local") if is_engine(engine) else None
    if module is None:
        raise UsageError(f'there is no local server for "{engine}"', did_you_mean(engine, RECIPES))
    recipe: Recipe = module.RECIPE
    return recipe


def with_recipes(engines: Iterable[str]) -> list[str]:
    """The engines of this package, and those of the given engines with a recipe."""
    return in_order({*RECIPES, *(engine for engine in engines if modules_of(engine).local)})


def recipes_table() -> tuple[PlatformRow, ...]:
    """One row per engine and platform, for `local status`."""
    return tuple(
        PlatformRow(
            recipe.engine,
            recipe.title,
            platform.system,
            platform.fetched,
            platform.is_tested,
            platform.system == here(),
            recipe.licence,
        )
        for usual in RECIPES.values()
        for recipe in (usual, *map(usual.of, usual.products))
        for platform in recipe.platforms
    )
