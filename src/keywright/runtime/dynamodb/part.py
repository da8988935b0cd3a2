"""Instances of items of which only some attributes were asked for."""

from collections.abc import Callable
from functools import partial
from typing import Any

from pydantic import BaseModel, TypeAdapter

from keywright.engines.dynamodb.keys import field_type
from keywright.ir.attribute import Attribute, Scalar
from keywright.ir.binding import Binding
from keywright.runtime.codec import Codec

from .native import SETS

Item = dict[str, Any]


def reading(codec: Codec[Any], binding: Binding, fields: tuple[str, ...]) -> Callable[[Item], Any]:
    """How items become instances: whole ones, or with the wanted fields alone where a pattern names some.

    What is wanted and not stored is null, or an empty set: nothing else is stored by being absent.
    """
    if not fields:
        return codec.from_item
    absent = dict(_absent(binding, binding.entity.attribute(path.split(".")[0])) for path in fields)
    absent.pop("", None)

    def read(item: Item) -> Any:
        return codec.from_part({**absent, **item})

    return read


def _absent(binding: Binding, attribute: Attribute | None) -> tuple[str, dict[str, Any]]:
    """What an attribute that is not there stands for; an empty name for one that then was never written."""
    if attribute is None:
        return "", {}
    native = field_type(binding, attribute.name)
    if attribute.is_nullable:
        return attribute.stored, {"NULL": True}
    return (attribute.stored, {native: ()}) if native in SETS else ("", {})


def maker(model: type[BaseModel], attribute: Attribute) -> Callable[[Any], Any] | None:
    """A function from a field's plain value to what the model holds; None where that is the same."""
    kind = attribute.type
    if isinstance(kind, Scalar) and not (kind.constants or kind.is_converted):
        return None
    return partial(_made, model, attribute.name, [])


def _made(model: type[BaseModel], name: str, known: list[TypeAdapter[Any]], value: Any) -> Any:
    if not known:  # made on first use: most fields are never read alone
        known.append(TypeAdapter(model.model_fields[name].rebuild_annotation()))
    return known[0].validate_python(value, strict=False, by_alias=True, by_name=True)


def unset(model: type[BaseModel], values: dict[str, Any]) -> BaseModel:
    """An instance in which only some fields are set, by name."""
    made = model.__new__(model)
    object.__setattr__(made, "__dict__", values)
    object.__setattr__(made, "__pydantic_fields_set__", set(values))
    object.__setattr__(made, "__pydantic_extra__", {} if model.model_config.get("extra") == "allow" else None)
    private = {name: one.get_default() for name, one in model.__private_attributes__.items()}
    object.__setattr__(made, "__pydantic_private__", private or None)
    return made
