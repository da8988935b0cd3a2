"""What one entity's items are keyed by, in the table and in each index: read by check, lower and the runtime alike."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from keywright.declare.names import names
from keywright.ir.binding import Binding
from keywright.ir.entity import resolve
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
    if item.read_copies > 1:  # the number of the copy stands behind it
        parts[0] = replace(parts[0], type="S")
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
    """Native type of a field or computed attribute of the entity; dots lead into embedded models."""
    path = kept_field(binding, binding.computed[name]) if name in binding.computed else name
    found = resolve(binding.entity.attributes, path) if path else None
    if not path or not found:
        return "S"
    return native_type(found[-1].type, is_ttl=is_expiry(binding, path), chosen=item_of(binding).types.get(path))


def kept_field(binding: Binding, template: Template) -> str | None:
    """Path of the field whose value a template keeps as it is: a lone placeholder's, through computed attributes."""
    computed = dict(binding.computed)
    while (lone := template.lone) is not None and lone.path in computed:
        template = computed.pop(lone.path)
    return lone.path if lone and resolve(binding.entity.attributes, lone.path) else None


def is_expiry(binding: Binding, path: str) -> bool:
    """Whether the field is the very attribute at whose time an item expires."""
    field = binding.entity.ttl
    return field is not None and field.name == path and field.ttl_after_seconds == 0


def _value(binding: Binding, attribute: str, text: str | None) -> KeyValue:
    """A key attribute that a template fills, or that is a field by itself."""
    if text is None:
        found = binding.entity.attribute(attribute)
        stored = found.stored if found else attribute
        template = binding.computed.get(attribute) or parse(f"{{{attribute}}}")
        return KeyValue(stored, template, field_type(binding, attribute))
    template = parse(text)
    path = kept_field(binding, template)
    return KeyValue(attribute, template, field_type(binding, path) if path else "S")
