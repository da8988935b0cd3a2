"""Entries of streams that wait in sorted sets, as `due=` of a RedisStream stores them."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from keywright.ir.attribute import Attribute, Scalar

from ..schema.delayed_entry import fields_of
from ..schema.item import milliseconds
from ..schema.layout import delayed
from .sampled_keys import SampledShape

Waiting = Sequence[tuple[bytes, float]]
"""Members with scores."""


def waiting_of(shapes: Iterable[SampledShape]) -> dict[bytes, Waiting]:
    """The sampled entries that wait, by the key of their stream."""
    head, tail = (part.encode() for part in delayed("|").split("|"))
    keys = (key for shape in shapes if shape.shape[0] == "zset" for key in shape.keys)
    named = ((key.key.removeprefix(head).removesuffix(tail), key) for key in keys)
    return {name: key.value for name, key in named if key.key == head + name + tail and _are_entries(key.value)}


def _are_entries(waiting: Waiting) -> bool:
    try:
        return all(fields_of(member) for member, _ in waiting)
    except ValueError:
        return False


def due_of(waiting: Waiting, attributes: Iterable[Attribute]) -> str | None:
    """The time field that all entries have as their score; None if there is none."""
    times = [attribute for attribute in attributes if _is_time(attribute)]
    entries = [(fields_of(member), score) for member, score in waiting]
    return next((each.name for each in times if all(_is_due(fields, score, each) for fields, score in entries)), None)


def _is_time(attribute: Attribute) -> bool:
    return isinstance(attribute.type, Scalar) and attribute.type.kind == "datetime"


def _is_due(fields: Mapping[bytes, bytes], score: float, attribute: Attribute) -> bool:
    text = fields.get(attribute.stored.encode())
    if text is None:
        return False
    try:
        return milliseconds(datetime.fromisoformat(text.decode().replace("Z", "+00:00")).timestamp()) == int(score)
    except ValueError:
        return False
