"""Keys of one entity's items, in the table and in each index. Read by check, lower and the runtime."""

from collections.abc import Iterator

from keywright.declare.names import names
from keywright.ir.attribute import Attribute
from keywright.ir.binding import Binding
from keywright.ir.entity import resolve
from keywright.ir.template import Template, lone, parse
from keywright.ir.time_precision import precise
from keywright.record import Record, replace

from ..declare.options import Item
from .typemap import native_type


class KeyValue(Record):
    """One key attribute of one entity with the template that fills it."""

    attribute: str
    """Stored name."""
    template: Template
    """Template of its value; a lone placeholder if it is a field of the entity."""
    type: str
    """Native type of its values."""


class IndexKey(Record):
    """One entity's key in the table, under the empty name, or in one global index."""

    index: str
    """Name of the index; empty for the table."""
    parts: tuple[KeyValue, ...]
    """The values, partition key first."""
    hash_parts: int
    """Number of parts that belong to the partition key."""


def table_key(binding: Binding[Item]) -> IndexKey:
    """The key of the entity's items."""
    item, table = binding.spec, binding.spec.table
    parts = [_value(binding, table.pk, item.pk)]
    if item.read_copies > 1:  # the number of the copy follows the value
        parts[0] = replace(parts[0], type="S")
    if table.sk is not None:
        parts.append(_value(binding, table.sk, item.sk))
    return IndexKey("", tuple(parts), 1)


def index_keys(binding: Binding[Item]) -> Iterator[IndexKey]:
    """The entity's keys in the global indexes that contain it."""
    item, entity = binding.spec, binding.entity
    gsi_keys = {key.gsi.name: key for key in item.gsis}
    always = {part.attribute: part for part in (*_discriminators(binding), *table_key(binding).parts)}
    for gsi in binding.spec.table.gsis:
        hashes, ranges = names(gsi.pk), names(gsi.sk)
        key = gsi_keys.get(gsi.name)
        templates = [*(key.pk if key else None for _ in hashes), *(key.sk if key else None for _ in ranges)]
        parts: list[KeyValue] = []
        for name, template in zip((*hashes, *ranges), templates, strict=True):
            if template is not None or entity.attribute(name) or name in binding.computed:
                parts.append(_value(binding, name, template))
            elif name in always:
                parts.append(always[name])
        if len(parts) == len(templates):
            yield IndexKey(gsi.name, tuple(parts), len(hashes))


def attributes_always(binding: Binding[Item]) -> set[str]:
    """Stored attributes of every item of the entity, independent of indexes: its key, discriminator and fields."""
    attributes = {part.attribute for part in (*_discriminators(binding), *table_key(binding).parts)}
    return attributes | {attribute.stored for attribute in binding.entity.attributes} | set(binding.computed)


def _discriminators(binding: Binding[Item]) -> Iterator[KeyValue]:
    """The discriminator of the entity's items."""
    item = binding.spec
    if (attribute := item.table.discriminator) is not None:
        yield KeyValue(attribute, parse(item.discriminators(binding.entity.name)[0]), "S")


def field_type(binding: Binding[Item], name: str) -> str:
    """Native type of a field or computed attribute of the entity; dots separate fields of embedded models."""
    path = kept_field(binding, binding.computed[name]) if name in binding.computed else name
    attributes = resolve(binding.entity.attributes, path) if path else None
    return attribute_type(binding, attributes[-1], path) if path and attributes else "S"


def attribute_type(binding: Binding[Item], attribute: Attribute, path: str) -> str:
    """Native type of the attribute at a path, which may be one of several if the path goes through a union."""
    return native_type(attribute.type, is_ttl=is_expiry(binding, path), chosen=binding.spec.types.get(path))


def kept_field(binding: Binding[Item], template: Template) -> str | None:
    """Path of the field whose value a template stores unchanged: its lone placeholder, also via computed attributes."""
    computed = dict(binding.computed)
    while (lone := template.lone) is not None and lone.path in computed:
        template = computed.pop(lone.path)
    return lone.path if lone and resolve(binding.entity.attributes, lone.path) else None


def is_expiry(binding: Binding[Item], path: str) -> bool:
    """Whether the field itself is the expiry time of its items."""
    field = binding.entity.ttl
    return field is not None and field.name == path and field.ttl_after_seconds == 0


def _value(binding: Binding[Item], attribute: str, text: str | None) -> KeyValue:
    """A key attribute that a template fills, or that is a field itself."""
    if text is None:
        field = binding.entity.attribute(attribute)
        stored = field.stored if field else attribute
        template = binding.computed.get(attribute) or lone(attribute)
        return KeyValue(stored, template, field_type(binding, attribute))
    template = precise(parse(text), binding.entity.attributes)
    path = kept_field(binding, template)
    return KeyValue(attribute, template, field_type(binding, path) if path else "S")
