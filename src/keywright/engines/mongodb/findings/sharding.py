"""Shard keys of entities, and the conditions of patterns on them."""

from collections.abc import Iterator

from keywright.declare.names import names
from keywright.engines.findings.context import RuleContext
from keywright.engines.mongodb.declare.options import Collection
from keywright.ir.binding import Binding


def sharded(context: RuleContext) -> Iterator[tuple[Binding[Collection], list[str], bool]]:
    """(entity, fields of its shard key, whether the first one is hashed) of every collection with a shard key."""
    for binding in context.bindings("mongodb"):
        if isinstance(binding.spec, Collection) and binding.spec.shard_key is not None:
            fields = names(binding.spec.shard_key.on)
            yield binding, fields, binding.spec.shard_key.hashed_field == fields[0]
