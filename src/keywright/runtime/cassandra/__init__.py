"""Converts models to and from rows of a Cassandra table: values by column, in the form of the DataStax driver.

A row to read is a dictionary too (`session.row_factory = dict_factory`). A field that is None is None in the row, so
that a write removes the stored value. An embedded model is a tuple in the order of its type's fields. The row of a
model with a `Ttl()` field is an `ExpiringRow` with the time of its expiry: write it with `USING TTL`.
"""

from collections.abc import Callable
from importlib import import_module
from typing import Any

from keywright.engines.cassandra.declare.options import CqlTable
from keywright.engines.cassandra.schema.columns import columns_of
from keywright.engines.cassandra.schema.row import ttl_of
from keywright.ir.binding import Binding
from keywright.runtime.function_source import FunctionSource
from keywright.runtime.items.codec import FUNCTIONS, Codec, M
from keywright.runtime.items.upgraded import upgrading

from .read import Reader
from .write import Writer

__all__ = ["codec", "ttl_of"]


def codec(binding: Binding[CqlTable], model: type[M]) -> Codec[M]:
    """The codec of a model in a Cassandra table."""
    source = FunctionSource()
    writer = Writer(binding, source)
    writer.key()
    writer.items()
    reader = Reader(binding, source)
    reader.instance(model)
    reader.part(model)
    key_of, to_items, from_item, from_part = (source.compile(name) for name in FUNCTIONS)
    built = Codec(key_of, to_items, from_item, from_part, from_item, _key_in(binding))
    return upgrading(built, binding, lambda: import_module(f"{__name__}.upgraded").stored(binding))


def _key_in(binding: Binding[CqlTable]) -> Callable[[Any], Any]:
    key = [column.name for column in columns_of(binding) if column.role in ("partition", "clustering")]
    return lambda row: {name: row.get(name) for name in key}
