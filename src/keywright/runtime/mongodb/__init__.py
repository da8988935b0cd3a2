"""Converts models to MongoDB documents in pymongo's form, and back.

The result does not depend on the client's settings, such as time zones and the decoding of UUIDs. `key_of` returns
the filter of a document, `{"_id": ...}`.
"""

from importlib import import_module

from keywright.engines.mongodb.declare.options import AnyCollection
from keywright.engines.mongodb.schema.fields import ID
from keywright.ir.binding import Binding
from keywright.runtime.function_source import FunctionSource
from keywright.runtime.items.codec import FUNCTIONS, Codec, M
from keywright.runtime.items.upgraded import upgrading

from .read import Reader
from .write import Writer


def codec(binding: Binding[AnyCollection], model: type[M]) -> Codec[M]:
    """The codec of a model in a MongoDB collection."""
    source = FunctionSource()
    writer = Writer(binding, source)
    writer.key()
    writer.items()
    reader = Reader(binding, source)
    reader.instance(model)
    reader.part(model)
    key_of, to_items, from_item, from_part = (source.compile(name) for name in FUNCTIONS)
    compiled = Codec(key_of, to_items, from_item, from_part, from_item, lambda item: item.get(ID))
    return upgrading(compiled, binding, lambda: import_module(f"{__name__}.upgraded").stored(binding))
