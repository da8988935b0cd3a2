"""Every engine, in the order in which reports show them."""

from typing import Any

from .cassandra.engine import ENGINE as CASSANDRA
from .dynamodb.engine import ENGINE as DYNAMODB
from .interface import Engine
from .mongodb.engine import ENGINE as MONGODB
from .redis.engine import ENGINE as REDIS

ENGINES: tuple[Engine[Any, Any], ...] = (DYNAMODB, MONGODB, CASSANDRA, REDIS)
"""All engines; a new one is a line here and a folder of its own."""


def engine_named(name: str) -> Engine[Any, Any]:
    """The engine of that name."""
    return next(engine for engine in ENGINES if engine.name == name)


def engine_of(store: str) -> Engine[Any, Any]:
    """The engine of a store, such as `mongodb/content`."""
    return engine_named(store.partition("/")[0])


def engine_of_physicals() -> dict[type, str]:
    """Name of the engine, by type of physical declaration."""
    return {kind: engine.name for engine in ENGINES for kind in engine.physicals}
