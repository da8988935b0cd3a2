"""Models to and from stored items: a key with text, fields, a member with its score, or the number of a bit.

`to_item` returns an `Item`, whose `commands` any client can run. `from_item` accepts an `Item`, or a pair of a key and
the client's answer: text of GET, an element or a member, the fields of HGETALL or of an entry, (member, score),
(member, (longitude, latitude)), or the number of a bit. For a rate limit it is None, because it stores no instance.
"""

from typing import Any

from keywright.engines.redis.declare.options import Structure
from keywright.engines.redis.schema.item import commands
from keywright.engines.redis.schema.layout import FIELD_KINDS, JSON_KINDS, kind_of, value_field
from keywright.ir.binding import Binding
from keywright.runtime.function_source import FunctionSource
from keywright.runtime.items.codec import FUNCTIONS, Codec, M
from keywright.runtime.items.upgraded import upgrading

from . import values
from .read import Reader
from .upgraded import stored
from .write import Writer

__all__ = ["codec", "commands"]


def codec(binding: Binding[Structure], model: type[M]) -> Codec[M]:
    """The codec of a model in a Redis structure."""
    source = FunctionSource()
    writer = Writer(binding, source)
    writer.key()
    writer.items()
    reader = Reader(binding, source)
    reader.instance(model)
    reader.part(model)
    key_of, to_items, from_item, from_part = (source.compile(name) for name in FUNCTIONS)
    plain_codec = Codec(key_of, to_items, from_item, from_part, from_item, _key_in)
    kind = kind_of(binding)
    if kind not in (*JSON_KINDS, *FIELD_KINDS) or value_field(binding):
        return plain_codec
    return upgrading(plain_codec, binding, lambda: stored(binding, is_json=kind in JSON_KINDS))


def _key_in(item: Any) -> Any:
    """The key; for members with a score or a place, the pair of key and member."""
    key, value = values.pair(item)
    return (key, values.to_text(value[0])) if isinstance(value, tuple) else key
