"""What one entity's items are keyed by, in the table and in each index: read by check, lower and the runtime alike."""

from collections.abc import Iterator
from dataclasses import dataclass

from keywright.declare.names import names
from keywright.ir.binding import Binding
from keywright.ir.template import Template, parse

from .options import DynamoTable, Item
from .typemap import native_type


@dataclass(frozen=True, slots=True)
class KeyValue:
    """One key attribute of one entity and what fills it."""

    attribute: str
    """Stored name."""
    template: Template
    """What fills it; a lone placeholder where it is a field of the entity."""
    type: str
    """Native type of its values."""


@dataclass(frozen=True, slots=True)
class IndexKey:
    """One entity's key in the table, under the empty name, or in one global index."""

    index: str
    """Name of the index; empty for the table."""
    parts: tuple[KeyValue, ...]
    """The values, partition half first."""
    hash_parts: int
    """How many of them are the partition half."""


def item_of(binding: Binding) -> Item:
    """The declaration behind a binding of this engine."""
    assert isinstance(binding.spec, Item)
    return binding.spec


def table_of(binding: Binding) -> DynamoTable:
    """The table of a binding."""
    return item_of(binding).table


def table_key(binding: Binding) -> IndexKey:
    """The key of the entity's items."""
    item, table = item_of(binding), table_of(binding)
    parts = [_value(binding, table.pk, item.pk)]
    if table.sk is not None:
        parts.append(_value(binding, table.sk, item.sk))
    return IndexKey("", tuple(parts), 1)


def index_keys(binding: Binding) -> Iterator[IndexKey]:
    """The entity's keys in the global indexes that it is in."""
    item, entity = item_of(binding), binding.entity
    given = {key.gsi.name: key for key in item.gsis}
    for gsi in table_of(binding).gsis:
        hashes, ranges = names(gsi.pk), names(gsi.sk)
        if key := given.get(gsi.name):
            filled = zip((*hashes, *ranges), (key.pk, key.sk), strict=False)
            parts = tuple(_value(binding, name, template) for name, template in filled if template)
            yield IndexKey(gsi.name, parts, 1)
        elif all(entity.attribute(name) or name in binding.computed for name in (*hashes, *ranges)):
            parts = tuple(_value(binding, name, None) for name in (*hashes, *ranges))
            yield IndexKey(gsi.name, parts, len(hashes))


def field_type(binding: Binding, name: str) -> str:
    """Native type of a field or computed attribute of the entity."""
    attribute = binding.entity.attribute(name)
    if attribute is None:
        return "S"
    is_ttl = attribute.ttl_after_seconds == 0
    return native_type(attribute.type, is_ttl=is_ttl, chosen=item_of(binding).types.get(name))


def _value(binding: Binding, attribute: str, text: str | None) -> KeyValue:
    """A key attribute that a template fills, or that is a field by itself."""
    if text is None:
        found = binding.entity.attribute(attribute)
        stored = found.stored if found else attribute
        return KeyValue(
            stored, binding.computed.get(attribute) or parse(f"{{{attribute}}}"), field_type(binding, attribute)
        )
    template = parse(text)
    lone = template.lone
    return KeyValue(attribute, template, field_type(binding, lone.path) if lone else "S")
