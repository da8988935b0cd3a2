"""Instances of partly read items: only the read fields are set, and nothing is validated."""

from collections.abc import Callable
from typing import Any

from pydantic import BaseModel, TypeAdapter

from keywright.ir.attribute import Attribute, Scalar, Type


def unset(model: type[BaseModel], values: dict[str, Any]) -> BaseModel:
    """An instance with only some fields set, by name; `model_construct` would also set defaults."""
    instance = model.__new__(model)
    object.__setattr__(instance, "__dict__", values)
    object.__setattr__(instance, "__pydantic_fields_set__", set(values))
    object.__setattr__(instance, "__pydantic_extra__", {} if model.model_config.get("extra") == "allow" else None)
    private = {name: attribute.get_default() for name, attribute in model.__private_attributes__.items()}
    object.__setattr__(instance, "__pydantic_private__", private or None)
    return instance


def maker(model: type[BaseModel], attribute: Attribute) -> Callable[[Any], Any] | None:
    """A function from a field's plain value to the model's, such as an enum member; None if they are the same."""
    if is_plain(attribute.type):
        return None
    adapters: list[TypeAdapter[Any]] = []  # made on first use: most fields are never read alone

    def convert(value: Any) -> Any:
        if not adapters:
            adapters.append(TypeAdapter(model.model_fields[attribute.name].rebuild_annotation()))
        return adapters[0].validate_python(value, strict=False, by_alias=True, by_name=True)

    return convert


def is_plain(type: Type) -> bool:
    """Whether stores return the model's value unchanged: a scalar that is no enum, JSON or converted value."""
    return isinstance(type, Scalar) and not (type.constants or type.is_converted or type.kind == "json")
