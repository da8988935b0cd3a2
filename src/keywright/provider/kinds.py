"""The operations of the provider on a resource, by its type."""

from collections.abc import Callable

from keywright.api.stack import item_backfill, item_identity, resources
from keywright.api.stack.connections import ConnectionPool
from keywright.api.stack.resources import ResourceWatcher
from keywright.engines.contract.resource import Inputs
from keywright.record import Record


class ResourceKind(Record, kw_only=True):
    """The operations on one kind of resource; all take its type."""

    id: Callable[[str, Inputs], str]
    """Returns the id."""
    store: Callable[[ConnectionPool, str, Inputs], str]
    """Returns the store of the resource."""
    wrong: Callable[[ConnectionPool, str, Inputs | None, Inputs], list[tuple[str, str]]]
    """Returns (property, problem) of the inputs, given the former inputs."""
    read: Callable[[ConnectionPool, str, str, Inputs | None], Inputs | None]
    """(connections, type, id, inputs): returns the existing resource in the form of a program's inputs."""
    apply: Callable[[ConnectionPool, str, Inputs | None, Inputs, ResourceWatcher], None]
    """Changes the resource from the former inputs to the new ones."""
    remove: Callable[[ConnectionPool, str, Inputs, ResourceWatcher], str]
    """Drops the resource; returns the reason if a part is kept."""
    has_parts: bool
    """Whether a part of it can exist after a failure, as `read` reports."""


STORED = ResourceKind(
    id=lambda type, inputs: resources.normal(type, inputs).id,
    store=resources.store_of,
    wrong=lambda pool, type, old, new: resources.wrong(type, old, new),
    read=resources.read,
    apply=resources.apply,
    remove=resources.remove,
    has_parts=True,
)
"""An object in a store: a collection, a keyspace, a table, the settings of a server."""

RUN = ResourceKind(
    id=lambda type, inputs: str(inputs["store"]),
    store=lambda pool, type, inputs: str(inputs["store"]),
    wrong=lambda pool, type, old, new: item_backfill.wrong(old, new),
    read=lambda pool, type, id, inputs: inputs,
    apply=lambda pool, type, old, new, watcher: item_backfill.apply(pool, old, new, watcher),
    remove=lambda standing, type, inputs, watcher: "",
    has_parts=False,
)
"""The form of stored items, which a backfill changes."""

KEYS = ResourceKind(
    id=lambda type, inputs: str(inputs["store"]),
    store=lambda pool, type, inputs: str(inputs["store"]),
    wrong=lambda pool, type, old, new: item_identity.wrong(pool, old, new),
    read=lambda pool, type, id, inputs: inputs,
    apply=lambda pool, type, old, new, watcher: None,
    remove=lambda standing, type, inputs, watcher: "",
    has_parts=False,
)
"""The keys of stored items."""


def kind_of(type: str) -> ResourceKind:
    """The kind of a type; the store rejects an unknown type."""
    return {item_backfill.RUN: RUN, item_identity.KEYS: KEYS}.get(type, STORED)
