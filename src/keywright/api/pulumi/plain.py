"""Resources of an environment for a Pulumi program, as plain data that is cheap to read and can be cached."""

from collections.abc import Mapping
from typing import Any

from keywright.engines.contract.resource import StackResource
from keywright.engines.contract.stack_tables import Grant
from keywright.ir.json import Json
from keywright.record import Record, asdict

POSITION = "KEYWRIGHT_POSITION"
"""Variable with the position of the stores, set by the holder of their locks: `keywright migrate apply`."""


class ProvidedTable(Record):
    """A table that a cloud's own provider creates."""

    declared: str
    """Declared name of the table."""
    inputs: dict[str, Json]
    """Inputs of the resource."""
    options: dict[str, Json]
    """Options of the resource."""
    companions: tuple[StackResource, ...]
    """Companion resources, each after the resource that contains it."""
    has_stream: bool
    """Whether the models declare a stream."""
    indexes: tuple[str, ...]
    """Names of the global indexes."""


class ProviderResource(Record):
    """A resource of keywright's own provider."""

    resource: StackResource
    """Type, name and inputs of the resource."""
    store: str
    """Store of the resource."""
    is_protected: bool
    """Whether the resource must not be replaced or deleted."""


class Provided(Record):
    """All resources of a program."""

    environment: str
    """Name of the environment."""
    tags: Mapping[str, str]
    """Tags of the resources around the tables."""
    tables: dict[str, ProvidedTable]
    """Tables, by their names in the stack."""
    others: tuple[ProviderResource, ...]
    """Resources of keywright's own provider, in order."""
    grants: dict[str, tuple[Grant, ...]]
    """Permissions of each served access pattern on these tables, by name."""
    parameter_groups: dict[str, StackResource]
    """Parameter groups of managed services, by server or cluster."""
    stores: tuple[str, ...] = ()
    """Current and future stores of the environment and of its history; an address must belong to one of them."""
    alarms: tuple[StackResource, ...] = ()
    """CloudWatch alarms without a table."""
    keys: tuple[StackResource, ...] = ()
    """Resources with the item keys of each store, which precede its changes."""
    runs: tuple[StackResource, ...] = ()
    """Resources that backfill the items of each store."""
    pending: tuple[str, ...] = ()
    """Folders of the environment's pending migrations."""
    is_assumed: bool = False
    """Whether the position was assumed without a connection to the stores."""


def dump(provided: Provided) -> dict[str, Json]:
    """Convert to JSON."""
    return asdict(provided)


def parse(document: Mapping[str, Any]) -> Provided:
    """Inverse of `dump`."""
    return Provided(
        environment=document["environment"],
        tags=document["tags"],
        tables={key: _table(table) for key, table in document["tables"].items()},
        others=tuple(
            ProviderResource(_resource(other["resource"]), other["store"], other["is_protected"])
            for other in document["others"]
        ),
        grants={name: tuple(Grant(**grant) for grant in grants) for name, grants in document["grants"].items()},
        parameter_groups={key: _resource(group) for key, group in document["parameter_groups"].items()},
        stores=tuple(document["stores"]),
        alarms=tuple(map(_resource, document["alarms"])),
        keys=tuple(map(_resource, document["keys"])),
        runs=tuple(map(_resource, document["runs"])),
        pending=tuple(document["pending"]),
        is_assumed=document["is_assumed"],
    )


def _table(document: Mapping[str, Any]) -> ProvidedTable:
    return ProvidedTable(
        **{
            **document,
            "companions": tuple(map(_resource, document["companions"])),
            "indexes": tuple(document["indexes"]),
        }
    )


def _resource(document: Mapping[str, Any]) -> StackResource:
    return StackResource(**{**document, "ignores": tuple(document["ignores"])})
