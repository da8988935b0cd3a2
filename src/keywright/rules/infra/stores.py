"""Resources of a program back into placed targets, so that the rules of stored things judge them too."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

from keywright.engines import resource as described
from keywright.engines.cassandra import resources as cassandra
from keywright.engines.cassandra.settings import CassandraEnvironment
from keywright.engines.dynamodb import resources as dynamodb
from keywright.engines.dynamodb import scaling
from keywright.engines.dynamodb.settings import Autoscaling, DynamoEnvironment, Scaled
from keywright.engines.dynamodb.target import TableTarget
from keywright.engines.environment import Environment
from keywright.engines.flaws.context import Flaw, Stored
from keywright.engines.flaws.resource import Resource, Unknown
from keywright.engines.mongodb import resources as mongodb
from keywright.engines.mongodb.settings import MongoEnvironment
from keywright.engines.redis import parameters
from keywright.engines.redis import resources as redis
from keywright.engines.redis.settings import RedisEnvironment
from keywright.engines.redis.target import ServerTarget

ALONE = {
    dynamodb.TABLE: "dynamodb", redis.SETTINGS: "redis", **dict.fromkeys(parameters.TYPES.values(), "redis"),
}  # fmt: skip
"""The engine by the type of a resource that is a target by itself."""

TOGETHER = {mongodb.COLLECTION: "mongodb", cassandra.KEYSPACE: "cassandra", cassandra.TABLE: "cassandra"}
"""The engine by the type of one that is part of a target."""

_OPAQUE = ("name", "kmsKeyArn", "kmsKeyId", "description", "family", "tags")
"""Inputs that no rule of stored things reads anything from: where they are not known, the others are judged."""

_OWNED = ("pointInTimeRecovery", "serverSideEncryption", "deletionProtectionEnabled")
"""Inputs that rules of infrastructure judge by themselves, and no rule of stored things: left out where not known."""

_NAMED = "(not known)"


@dataclass(frozen=True, slots=True)
class Built:
    """A target with the resources that it was made of."""

    stored: Stored
    """The target."""
    resources: tuple[Resource, ...]
    """The resources."""

    def urn(self, flaw: Flaw) -> str:
        """The resource that a flaw is about: the part that it names, else the first."""
        names = {str(one.inputs.get("name")): one.urn for one in reversed(self.resources)}
        return next((names[name] for name in (flaw.part, flaw.subject) if name in names), self.resources[0].urn)


def alone(one: Resource, environment: Mapping[str, Environment], beside: Sequence[Resource] = ()) -> Iterator[Built]:
    """The target that a resource is by itself; none for any other resource, and for what its provider will refuse.

    environment: each engine's part, by its name, where there is one. beside: all resources of the program, where they
    are known: those that scale a table are part of it. NotKnown where an input that matters is not known.
    """
    if one.type in ALONE:
        with suppress(AttributeError, KeyError, TypeError, ValueError):
            placed: Any = _table(one, beside) if one.type == dynamodb.TABLE else _server(one)
            part = _environment(one, placed, environment)
            yield Built(Stored(ALONE[one.type], placed, placed, part), (one,))


def together(all: Sequence[Resource], environment: Mapping[str, Environment]) -> Iterator[Built]:
    """The targets that several resources are: databases of their collections, keyspaces of their tables.

    A keyspace that the program does not make is not told: nobody knows how often its rows are kept.
    """
    rows = sorted((one for one in all if one.type in TOGETHER), key=_whole)
    for (engine, _), members in groupby(rows, key=_whole):
        found = tuple(members)
        told = [described.Resource(one.type, one.name, one.name, _readable(one.inputs)) for one in found]
        with suppress(AttributeError, KeyError, TypeError, ValueError):
            placed, part = _database(told) if engine == "mongodb" else _keyspace(told)
            if placed is not None:
                yield Built(Stored(engine, placed, placed, environment.get(engine, part)), found)


def _table(one: Resource, beside: Sequence[Resource]) -> TableTarget:
    table = dynamodb.from_resource({"name": one.name, **_readable(one.inputs)})
    placement = table.placement
    assert placement is not None, "what is read from inputs is placed"
    return replace(table, placement=replace(placement, scaling=_scaling(one, beside)))


def _server(one: Resource) -> ServerTarget:
    told = described.Resource(one.type, one.name, one.name, _readable(one.inputs))
    return redis.from_resources((told,)) if one.type == redis.SETTINGS else parameters.from_resource(told)


def _environment(one: Resource, placed: Any, environment: Mapping[str, Environment]) -> Environment:
    if one.type == dynamodb.TABLE:
        return environment.get("dynamodb") or DynamoEnvironment(flavour="dynamodb")
    return _redis(placed, environment)


def _database(told: Sequence[described.Resource]) -> tuple[Any, Environment]:
    return mongodb.from_resources(told), MongoEnvironment(flavour="mongodb")


def _keyspace(told: Sequence[described.Resource]) -> tuple[Any, Environment]:
    keyspace = cassandra.from_resources(told)
    return keyspace if keyspace.placement else None, CassandraEnvironment(flavour="cassandra")


def _scaling(table: Resource, all: Sequence[Resource]) -> Autoscaling | None:
    """How the capacity of a table follows the load; None where it does not, of both sides."""
    found: dict[str, Scaled] = {}
    for one in all:
        if one.type == scaling.TARGET and one.points_at("resourceId", table, "name", "table/{}"):
            side = "read" if ":Read" in str(one.value("scalableDimension")) else "write"
            found[side] = Scaled(min=one.value("minCapacity"), max=one.value("maxCapacity"))
    return Autoscaling(read=found["read"], write=found["write"]) if len(found) == 2 else None


def _whole(one: Resource) -> tuple[str, str]:
    """(engine, name of the whole) of a part."""
    word = {mongodb.COLLECTION: "database", cassandra.KEYSPACE: "name", cassandra.TABLE: "keyspace"}[one.type]
    return TOGETHER[one.type], str(one.inputs[word])


def _redis(server: ServerTarget, environment: Mapping[str, Environment]) -> Environment:
    """What the program says of a server wins over what its environment says."""
    placement = server.placement
    known = environment.get("redis")
    if placement is None or (isinstance(known, RedisEnvironment) and known.flavour == placement.flavour):
        return known or RedisEnvironment(flavour="redis")
    flavour: Any = placement.flavour
    return RedisEnvironment(flavour=flavour, version=placement.version, replicas=placement.replicas)


def _readable(inputs: Mapping[str, Any]) -> dict[str, Any]:
    """Inputs with a word in place of what is not known and nobody reads."""
    return {key: _named(key, value) for key, value in inputs.items() if key not in _OWNED or not _has_unknown(value)}


def _has_unknown(value: Any) -> bool:
    if isinstance(value, dict):
        return any(map(_has_unknown, value.values()))
    return isinstance(value, Unknown)


def _named(key: str, value: Any) -> Any:
    match value:
        case Unknown() if key in _OPAQUE:
            return {} if key == "tags" else _NAMED
        case dict():
            return {inner: _named("tags" if key == "tags" else inner, one) for inner, one in value.items()}
        case list():
            return [_named(key, one) for one in value]
    return value
