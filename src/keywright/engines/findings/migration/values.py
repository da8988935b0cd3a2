"""What hazards ask of the values of changes, whichever engine made them."""

from typing import Any

from keywright.errors import quoted

from .context import Context
from .effect import Effect, found


def fields_of(context: Context, effect: Effect) -> tuple[dict[str, Any], dict[str, Any]]:
    """The fields of the entity that an effect is about, before and after; an entity of another name counts."""
    renamed = next(
        (str(one.change.before) for one in context.effects
         if one.kind == "RenameEntity" and one.store == effect.store and one.path == effect.path[:3]),
        effect.entity,
    )  # fmt: skip
    old = found(context.before, effect.store, (*effect.path[:2], renamed, "fields"))
    new = found(context.after, effect.store, (*effect.path[:3], "fields"))
    return old or {}, new or {}


def is_field(effect: Effect) -> bool:
    """Whether it is about a field of an entity, as declarations know it."""
    return len(effect.path) == 5 and effect.path[1] == "shape" and effect.path[3] == "fields"


def stored(name: str, field: Any) -> str:
    """The name of a field in the store."""
    return str(field.get("stored", name)) if isinstance(field, dict) else name


def type_of(field: Any) -> str:
    """The native type of a field."""
    return str(field.get("type", "")) if isinstance(field, dict) else str(field)


def is_within(effect: Effect, others: set[str]) -> bool:
    """Whether a field stands in an embedded model that is itself among the others."""
    return any(effect.name.startswith(f"{other}.") for other in others)


def listed(names: "list[str] | tuple[str, ...] | set[str]") -> str:
    """Names as messages show them, sorted."""
    return quoted(sorted(names))
