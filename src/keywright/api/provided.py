"""What a Pulumi program says of an environment, as plain data: it costs nothing to read, and can be remembered."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from keywright.engines.dynamodb.policy import Grant
from keywright.engines.resource import Resource
from keywright.ir.json import Json

POSITION = "KEYWRIGHT_POSITION"
"""Where the stores of the environment are, said by who holds their locks: `keywright migrate apply`."""


@dataclass(frozen=True, slots=True)
class Table:
    """One table of DynamoDB."""

    declared: str
    """Its declared name."""
    inputs: dict[str, Json]
    """What the program says of it."""
    options: dict[str, Json]
    """The options of its resource."""
    beside: tuple[Resource, ...]
    """What stands beside it, each behind what it is within."""
    has_stream: bool
    """Whether the models declare its stream."""
    indexes: tuple[str, ...]
    """Names of its global indexes."""


@dataclass(frozen=True, slots=True)
class Other:
    """One resource of keywright's own provider."""

    resource: Resource
    """The resource."""
    store: str
    """Its store."""
    is_protected: bool
    """Whether nothing may replace or delete it."""


@dataclass(frozen=True, slots=True)
class Provided:
    """Everything that a program makes."""

    environment: str
    """Name of the environment."""
    tags: Mapping[str, str]
    """Labels of what stands with the tables."""
    tables: dict[str, Table]
    """Tables, by what the stack calls them."""
    others: tuple[Other, ...]
    """Resources of our own provider, in their order."""
    grants: dict[str, tuple[Grant, ...]]
    """What a caller of each served pattern on DynamoDB needs, by the pattern's name."""
    parameter_groups: dict[str, Resource]
    """Parameter groups of managed services, by the server or cluster that each is for."""
    alarms: tuple[Resource, ...] = ()
    """Alarms of CloudWatch that stand beside no table."""
    runs: tuple[Resource, ...] = ()
    """What sends stored items after the models, one for each store."""
    pending: tuple[str, ...] = ()
    """Folders of the versions that are still to come here."""
    is_assumed: bool = False
    """Whether nobody has asked the stores where they are."""


def dump(provided: Provided) -> dict[str, Json]:
    """As JSON."""
    return asdict(provided)


def parse(told: Mapping[str, Any]) -> Provided:
    """The inverse of `dump`."""
    return Provided(
        environment=told["environment"],
        tags=told["tags"],
        tables={key: _table(one) for key, one in told["tables"].items()},
        others=tuple(Other(_resource(one["resource"]), one["store"], one["is_protected"]) for one in told["others"]),
        grants={name: tuple(Grant(**one) for one in of) for name, of in told["grants"].items()},
        parameter_groups={key: _resource(one) for key, one in told["parameter_groups"].items()},
        alarms=tuple(map(_resource, told["alarms"])),
        runs=tuple(map(_resource, told["runs"])),
        pending=tuple(told["pending"]),
        is_assumed=told["is_assumed"],
    )


def _table(told: Mapping[str, Any]) -> Table:
    return Table(**{**told, "beside": tuple(map(_resource, told["beside"])), "indexes": tuple(told["indexes"])})


def _resource(told: Mapping[str, Any]) -> Resource:
    return Resource(**{**told, "ignores": tuple(told["ignores"])})
