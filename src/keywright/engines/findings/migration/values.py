"""Helpers for the values of changes, for every engine."""

from typing import Any

from keywright.errors import quoted

from .context import MigrationContext
from .effect import Effect, value_at


def fields_of(context: MigrationContext, effect: Effect) -> tuple[dict[str, Any], dict[str, Any]]:
    """The fields of an effect's entity, before and after, also for a renamed entity."""
    renamed = next(
        (str(other.change.before) for other in context.effects
         if other.kind == "RenameEntity" and other.store == effect.store and other.path == effect.path[:3]),
        effect.entity,
    )  # fmt: skip
    old = value_at(context.before, effect.store, (*effect.path[:2], renamed, "fields"))
    new = value_at(context.after, effect.store, (*effect.path[:3], "fields"))
    return old or {}, new or {}


def is_field(effect: Effect) -> bool:
    """Whether it changes a declared field of an entity."""
    return len(effect.path) == 5 and effect.path[1] == "shape" and effect.path[3] == "fields"


def stored(name: str, field: Any) -> str:
    """The name of a field in the store."""
    return str(field.get("stored", name)) if isinstance(field, dict) else name


def type_of(field: Any) -> str:
    """The native type of a field."""
    return str(field.get("type", "")) if isinstance(field, dict) else str(field)


def is_within(effect: Effect, others: set[str]) -> bool:
    """Whether a field is part of an embedded model among the others."""
    return any(effect.name.startswith(f"{other}.") for other in others)


def listed(names: "list[str] | tuple[str, ...] | set[str]") -> str:
    """Names for messages, sorted and quoted."""
    return quoted(sorted(names))
