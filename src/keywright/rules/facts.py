"""What engines say of changes, without the rest of them: what is needed to judge, and quick to import."""

from dataclasses import dataclass

from keywright.engines.cassandra import diff as cassandra
from keywright.engines.classes import Rows
from keywright.engines.dynamodb import diff as dynamodb
from keywright.engines.mongodb import diff as mongodb
from keywright.engines.parts import Part
from keywright.engines.redis import diff as redis


@dataclass(frozen=True, slots=True)
class EngineFacts:
    """What one engine says."""

    parts: Part
    """See `Engine.parts`."""
    classes: Rows
    """See `Engine.classes`."""


_FACTS = {
    "cassandra": EngineFacts(cassandra.PARTS, cassandra.CLASSES),
    "dynamodb": EngineFacts(dynamodb.PARTS, dynamodb.CLASSES),
    "mongodb": EngineFacts(mongodb.PARTS, mongodb.CLASSES),
    "redis": EngineFacts(redis.PARTS, redis.CLASSES),
}


def facts_of(store: str) -> EngineFacts:
    """What the engine of a store says; KeyError for a store of no known engine."""
    return _FACTS[store.partition("/")[0]]
