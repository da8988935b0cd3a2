"""Instances of items from which a pattern reads only some attributes."""

from collections.abc import Callable
from typing import Any

from keywright.engines.dynamodb.declare import options
from keywright.engines.dynamodb.schema.keys import field_type
from keywright.ir.attribute import Attribute
from keywright.ir.binding import Binding
from keywright.runtime.items.codec import Codec

from .native import SETS

NativeItem = dict[str, Any]


def reading(codec: Codec[Any], binding: Binding[options.Item], fields: tuple[str, ...]) -> Callable[[NativeItem], Any]:
    """Function from an item to an instance: a complete one, or only the fields that a pattern names.

    Named fields without a stored value are null, or an empty set: only these two are stored as absent.
    """
    if not fields:
        return codec.from_item
    absent = dict(_absent(binding, binding.entity.attribute(path.split(".")[0])) for path in fields)
    absent.pop("", None)

    def read(item: NativeItem) -> Any:
        return codec.from_part({**absent, **item})

    return read


def _absent(binding: Binding[options.Item], attribute: Attribute | None) -> tuple[str, dict[str, Any]]:
    """Stored name and value of an absent attribute; an empty name if the attribute is never stored as absent."""
    if attribute is None:
        return "", {}
    native = field_type(binding, attribute.name)
    if attribute.is_nullable:
        return attribute.stored, {"NULL": True}
    return (attribute.stored, {native: ()}) if native in SETS else ("", {})
