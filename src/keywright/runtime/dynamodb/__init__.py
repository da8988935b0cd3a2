"""Models to and from DynamoDB items, in the form that boto3's low-level client takes."""

from pydantic import BaseModel

from keywright.ir.binding import Binding
from keywright.runtime.codec import Codec, M
from keywright.runtime.source import Source

from .read import Reader
from .write import Writer


def codec(binding: Binding, model: type[M]) -> Codec[M]:
    """The codec of a model in a DynamoDB table."""
    source = functions(binding, model)
    return Codec(
        source.compile("key_of"), source.compile("to_items"), source.compile("from_item"), source.compile("from_part")
    )


def functions(binding: Binding, model: type[BaseModel]) -> Source:
    """The functions of a codec: `key_of(m)`, `to_items(m)`, `from_item(item)` and `from_part(item)`."""
    source = Source()
    writer = Writer(binding, source)
    writer.key()
    writer.items()
    reader = Reader(binding, source)
    reader.instance(model)
    reader.part(model)
    return source
