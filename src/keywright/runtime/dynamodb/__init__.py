"""Models to and from DynamoDB items, in the form that boto3's low-level client takes."""

from keywright.ir.binding import Binding
from keywright.runtime.codec import Codec, M
from keywright.runtime.source import Source

from .read import Reader
from .write import Writer


def codec(binding: Binding, model: type[M]) -> Codec[M]:
    """The codec of a model in a DynamoDB table."""
    source = Source()
    writer = Writer(binding, source)
    writer.key()
    writer.items()
    Reader(binding, source).instance(model)
    return Codec(source.compile("key_of"), source.compile("to_items"), source.compile("from_item"))
