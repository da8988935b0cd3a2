"""Codecs between models and DynamoDB items, in the form of boto3's low-level client."""

from collections.abc import Callable
from importlib import import_module
from typing import Any

from pydantic import BaseModel

from keywright.engines.dynamodb.declare.options import Item
from keywright.engines.dynamodb.schema.keys import table_key
from keywright.ir.binding import Binding
from keywright.runtime.function_source import FunctionSource
from keywright.runtime.items.codec import FUNCTIONS, Codec, M
from keywright.runtime.items.upgraded import upgrading

from .read import Reader
from .write import Writer


def codec(binding: Binding[Item], model: type[M]) -> Codec[M]:
    """Codec of a model in a DynamoDB table."""
    source = functions(binding, model)
    key_of, to_items, from_item, from_part = (source.compile(name) for name in FUNCTIONS)
    current = Codec(key_of, to_items, from_item, from_part, from_item, _key_reader(binding))
    return upgrading(current, binding, lambda: import_module(f"{__name__}.upgraded").stored(binding))


def functions(binding: Binding[Item], model: type[BaseModel]) -> FunctionSource:
    """Functions of a codec: `key_of(m)`, `to_items(m)`, `from_item(item)` and `from_part(item)`."""
    source = FunctionSource()
    writer = Writer(binding, source)
    writer.key()
    writer.items()
    reader = Reader(binding, source)
    reader.instance(model)
    reader.part(model)
    return source


def _key_reader(binding: Binding[Item]) -> Callable[[Any], Any]:
    key = [part.attribute for part in table_key(binding).parts]
    return lambda item: {name: next(iter(item[name].values())) for name in key if name in item}
