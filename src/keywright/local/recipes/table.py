"""All recipes, in the order in which they are listed, and the table of what each platform gets."""

from dataclasses import dataclass

from keywright.errors import UsageError, did_you_mean
from keywright.local import cassandra, dynamodb, mongodb, redis
from keywright.local.platforms import System, here
from keywright.local.recipe import Recipe

RECIPES = {recipe.engine: recipe for recipe in (dynamodb.RECIPE, mongodb.RECIPE, cassandra.RECIPE, redis.RECIPE)}


@dataclass(frozen=True, slots=True)
class Row:
    """What one engine's server comes from on one platform."""

    engine: str
    """Name of the engine."""
    title: str
    """The server, as people call it."""
    system: System
    """Operating system and processor."""
    fetched: str
    """What is fetched when nothing is installed; empty where nothing can be."""
    is_tested: bool
    """Whether that was run on this platform; elsewhere it follows from what the packages say."""
    is_here: bool
    """Whether this is the platform that keywright runs on."""
    licence: str
    """The terms the server comes under."""


def recipe_of(engine: str) -> Recipe:
    """The engine's recipe; raises UsageError when there is none."""
    if engine not in RECIPES:
        raise UsageError(f'there is no local server for "{engine}"', did_you_mean(engine, RECIPES))
    return RECIPES[engine]


def recipes_table() -> tuple[Row, ...]:
    """One row per engine and platform, for `local status`."""
    return tuple(
        Row(
            recipe.engine,
            recipe.title,
            platform.system,
            platform.fetched,
            platform.is_tested,
            platform.system == here(),
            recipe.licence,
        )
        for recipe in RECIPES.values()
        for platform in recipe.platforms
    )
