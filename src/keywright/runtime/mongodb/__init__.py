"""Models to and from MongoDB documents, in the form that pymongo takes.

A document comes back the same from a client of any settings: with or without time zones, and with UUIDs decoded or not.
`key_of` gives the filter of a document, `{"_id": ...}`.
"""

from keywright.ir.binding import Binding
from keywright.runtime.codec import Codec, M
from keywright.runtime.source import Source

from .read import Reader
from .write import Writer


def codec(binding: Binding, model: type[M]) -> Codec[M]:
    """The codec of a model in a MongoDB collection."""
    source = Source()
    writer = Writer(binding, source)
    writer.key()
    writer.items()
    reader = Reader(binding, source)
    reader.instance(model)
    reader.part(model)
    return Codec(
        source.compile("key_of"), source.compile("to_items"), source.compile("from_item"), source.compile("from_part")
    )
