"""Models to and from rows of a Cassandra table: values by column, in the form that the DataStax driver takes.

A row that is read is given as a dictionary too (`session.row_factory = dict_factory`). A field that is None is None in
the row, so that writing it removes what was there. An embedded model is a tuple in the order of its type's fields. The
row of a model with a `Ttl()` field is a `Row`, which tells when it is gone: write it with `USING TTL`.
"""

from keywright.engines.cassandra.row import ttl_of
from keywright.ir.binding import Binding
from keywright.runtime.codec import Codec, M
from keywright.runtime.source import Source

from .read import Reader
from .write import Writer

__all__ = ["codec", "ttl_of"]


def codec(binding: Binding, model: type[M]) -> Codec[M]:
    """The codec of a model in a Cassandra table."""
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
