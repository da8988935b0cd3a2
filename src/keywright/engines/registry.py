"""Every engine, in the order in which reports show them."""

from typing import Any

from .dynamodb.engine import ENGINE as DYNAMODB
from .interface import Engine

ENGINES: tuple[Engine[Any, Any], ...] = (DYNAMODB,)
"""All engines; a new one is a line here and a folder of its own."""


def engine_named(name: str) -> Engine[Any, Any]:
    """The engine of that name."""
    return next(engine for engine in ENGINES if engine.name == name)


def engine_of_physicals() -> dict[type, str]:
    """Name of the engine, by type of physical declaration."""
    return {kind: engine.name for engine in ENGINES for kind in engine.physicals}
