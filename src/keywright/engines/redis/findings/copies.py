"""Copies of other data on a server, which may be lost."""

from keywright.engines.findings.context import RuleContext
from keywright.engines.findings.pattern_facts import identity
from keywright.ir.attribute import Scalar
from keywright.ir.binding import Binding

from ..declare.options import RedisCache, RedisHash, RedisJson, RedisString, Structure

_TIMES = ("datetime", "date", "time")
_UPDATED = ("stream", "transaction", "job")


def is_copy(binding: Binding[Structure]) -> bool:
    """Whether an entity is a cache by its structure or kind, or consists of copied fields."""
    return isinstance(binding.spec, RedisCache) or binding.spec.kind == "cache" or bool(copied(binding))


def copied(binding: Binding[Structure], *methods: str) -> str:
    """The entity from which all fields outside the key, except for times, are copied; empty if there is none.

    methods: ways in which each copy is updated, by default any.
    """
    if not isinstance(binding.spec, (RedisString, RedisHash, RedisJson)):
        return ""  # an entry of a stream or list is a message
    in_key = identity(binding)
    fields = [attribute for attribute in binding.entity.attributes if attribute.name not in in_key]
    copies = [attribute.copied_from for attribute in fields if attribute.copied_from is not None]
    is_complete = all(
        attribute.copied_from is not None or (isinstance(attribute.type, Scalar) and attribute.type.kind in _TIMES)
        for attribute in fields
    )
    return (
        copies[0].entity
        if copies and is_complete and all(copy.sync in (methods or _UPDATED) for copy in copies)
        else ""
    )


def elsewhere(context: RuleContext) -> set[str]:
    """Names of the entities that other engines store."""
    return {binding.entity.name for binding in context.design.bindings if binding.engine != "redis"}
