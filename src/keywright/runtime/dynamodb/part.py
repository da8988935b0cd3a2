"""Instances of items of which only some attributes were asked for."""

from collections.abc import Callable
from typing import Any

from keywright.engines.dynamodb.keys import field_type
from keywright.ir.attribute import Attribute
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
