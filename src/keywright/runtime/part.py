"""Instances of items of which only some fields were read: those are set, and nothing is validated."""

from collections.abc import Callable
from typing import Any

from pydantic import BaseModel, TypeAdapter

from keywright.ir.attribute import Attribute, Scalar, Type


def unset(model: type[BaseModel], values: dict[str, Any]) -> BaseModel:
    """An instance in which only some fields are set, by name; `model_construct` would set the others' defaults."""
    made = model.__new__(model)
    object.__setattr__(made, "__dict__", values)
    object.__setattr__(made, "__pydantic_fields_set__", set(values))
    object.__setattr__(made, "__pydantic_extra__", {} if model.model_config.get("extra") == "allow" else None)
    private = {name: one.get_default() for name, one in model.__private_attributes__.items()}
    object.__setattr__(made, "__pydantic_private__", private or None)
    return made


def maker(model: type[BaseModel], attribute: Attribute) -> Callable[[Any], Any] | None:
    """A function from a field's plain value to what the model holds, such as an enum; None where that is the same."""
    if is_plain(attribute.type):
        return None
    known: list[TypeAdapter[Any]] = []  # made on first use: most fields are never read alone

    def made(value: Any) -> Any:
        if not known:
            known.append(TypeAdapter(model.model_fields[attribute.name].rebuild_annotation()))
        return known[0].validate_python(value, strict=False, by_alias=True, by_name=True)

    return made


def is_plain(type: Type) -> bool:
    """Whether Python holds a value as stores give it back: one value, which is no enum and of no class of its own."""
    return isinstance(type, Scalar) and not (type.constants or type.is_converted or type.kind == "json")
