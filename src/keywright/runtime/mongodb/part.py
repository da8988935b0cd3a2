"""Instances that lack fields: for documents of which only a part was read."""

from collections.abc import Callable
from typing import Any

from pydantic import BaseModel, TypeAdapter

from keywright.ir.attribute import Attribute, Many, Map, Scalar, Type


def partial_of(model: type[BaseModel]) -> Callable[[dict[str, Any]], Any]:
    """A function from values by field to an instance in which only those are set."""
    new = model.__new__
    takes_extra = model.model_config.get("extra") == "allow"

    def made(values: dict[str, Any]) -> Any:
        one = new(model)
        object.__setattr__(one, "__dict__", values)
        object.__setattr__(one, "__pydantic_fields_set__", set(values))
        object.__setattr__(one, "__pydantic_extra__", {} if takes_extra else None)
        object.__setattr__(one, "__pydantic_private__", None)
        return one

    return made


def maker(model: type[BaseModel], attribute: Attribute) -> Callable[[Any], Any] | None:
    """A function from a field's plain value to what the model holds: None where that is the same."""
    if _is_plain(attribute.type):
        return None
    kind: Any = model.model_fields[attribute.name].annotation
    adapters: list[TypeAdapter[Any]] = []  # made on first use: most fields are never read alone

    def made(value: Any) -> Any:
        if not adapters:
            adapters.append(TypeAdapter(kind))
        return adapters[0].validate_python(value, strict=False, by_alias=True, by_name=True)

    return made


def _is_plain(type: Type) -> bool:
    match type:
        case Scalar():
            return not type.constants and not type.is_converted
        case Many():
            return type.kind == "list" and _is_plain(type.element)
        case Map():
            return _is_plain(type.value)
        case _:
            return False
