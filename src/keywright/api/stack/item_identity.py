"""The `keywright:migrations:Keys` resource of each store, which records the keys of items before all other resources.

The preview already rejects a change that would orphan items, so that nothing of the store is changed.
"""

import os
from typing import Any

from keywright.compiler import Compiled
from keywright.engines.contract.resource import Inputs, StackResource

from ..live.orphaned_items import identities, orphaning, refusal
from .connections import ConnectionPool

KEYS = "keywright:migrations:Keys"
"""Type of the resource."""

ALLOW = "KEYWRIGHT_ALLOW"
"""Variable with the changes of keys that may orphan items in one `pulumi up`, separated by commas."""


def keys_of(compiled: Compiled) -> tuple[StackResource, ...]:
    """Resources of a stack, one for each store."""
    return tuple(
        StackResource(KEYS, store, store, {"store": store, "targets": targets})
        for store, targets in identities(compiled).items()
    )


def wrong(pool: ConnectionPool, old: Inputs | None, new: Inputs) -> list[tuple[str, str]]:
    """(property, reason) of invalid inputs, or of a change that would orphan items.

    The property is empty for orphaned items, because Pulumi would show a removed template as its value.
    """
    store, targets = new.get("store"), new.get("targets")
    if not isinstance(store, str) or (old and old.get("store") != store):
        return [("store", "it must be the name of a store, such as mongodb/content, and cannot change")]
    if not isinstance(targets, dict):
        return [("targets", "it must be a mapping of item keys, as `provision()` passes it")]
    former: Any = (old or {}).get("targets", targets)
    if former == targets:
        return []
    allowed = [part.strip() for part in os.environ.get(ALLOW, "").split(",") if part.strip()]
    with pool.connection(store) as connection:
        orphaned_items = list(orphaning(pool.compiled(), {store: former}, lambda _: connection.driver, allowed))
    errors = [refusal(items, f"`{ALLOW}={items.finding.object} pulumi up`") for items in orphaned_items]
    return [("", f"{error.code}: {error.problem}; {error.help}") for error in errors]
