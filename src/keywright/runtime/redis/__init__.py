"""Models to and from what Redis holds: a key with text, fields, a member with its score, or the number of a bit.

`to_item` gives an `Item`, whose `commands` any client can run. `from_item` takes an `Item`, or a pair of a key and what
the client answered for it: text of GET, an element or a member, the fields of HGETALL or of an entry, (member, score),
(member, (longitude, latitude)), or the number of a bit. The pair of a rate limit has None, since it holds no instance.
"""

from keywright.engines.redis.item import commands
from keywright.ir.binding import Binding
from keywright.runtime.codec import Codec, M
from keywright.runtime.source import Source

from .read import Reader
from .write import Writer

__all__ = ["codec", "commands"]


def codec(binding: Binding, model: type[M]) -> Codec[M]:
    """The codec of a model in a Redis structure."""
    source = Source()
    writer = Writer(binding, source)
    writer.key()
    writer.items()
    reader = Reader(binding, source)
    reader.instance(model)
    reader.part(model)
    made = (source.compile(name) for name in ("key_of", "to_items", "from_item", "from_part"))
    return Codec(*made)
