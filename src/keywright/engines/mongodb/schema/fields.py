"""Paths of an entity's fields in its documents, for check, lower and the runtime.

A lone `id="{field}"` stores the field as `_id` and not a second time under its own name, because queries by that name
would need a second index; indexes, filters and shard keys that name the field mean `_id`. A template that composes
`_id` from fields leaves the fields in place. Without a template the server generates an ObjectId.
"""

from collections.abc import Iterator

from keywright.ir.attribute import Attribute, Many, Struct, Tuple
from keywright.ir.binding import Binding
from keywright.ir.entity import element, resolve
from keywright.record import Record

from ..declare.options import AnyCollection, TimeSeries
from .typemap import native_type

ID = "_id"
"""The field that identifies a document."""

ID_INDEX = "_id_"
"""The name of the index on it, unless a clustered collection has another name."""


class Field(Record):
    """One field of an entity, or of an embedded model."""

    path: str
    """Dotted Python names."""
    stored: str
    """Dotted names in the document."""
    attribute: Attribute
    """Its attribute, with type and facts."""
    type: str
    """Its BSON type."""


def id_attribute(binding: Binding[AnyCollection]) -> Attribute | None:
    """The attribute whose value is `_id`: that of a lone placeholder, or the attribute with that alias."""
    template = binding.templates.get("id")
    if template is None:
        return next((attribute for attribute in binding.entity.attributes if attribute.stored == ID), None)
    return binding.entity.attribute(template.lone.path) if template.lone else None


def stored_name(binding: Binding[AnyCollection], attribute: Attribute) -> str:
    """The name of a top-level attribute in documents."""
    return ID if attribute is id_attribute(binding) else attribute.stored


def stored(binding: Binding[AnyCollection], path: str) -> str:
    """The path in documents for dotted Python names; a name of no field is returned unchanged."""
    attributes = resolve(binding.entity.attributes, path)
    if attributes is None:
        return path
    inner = (attribute.stored for attribute in attributes[1:])
    return ".".join((stored_name(binding, attributes[0]), *inner))


def meta_path(binding: Binding[AnyCollection], spec: TimeSeries) -> str | None:
    """The path of a time series' meta field in documents; None if it has none."""
    return None if spec.meta is None else stored(binding, spec.meta)


def chosen_type(binding: Binding[AnyCollection], path: str) -> str | None:
    """The native type that `types=` declares for a field."""
    spec = binding.spec
    return None if isinstance(spec, TimeSeries) else spec.types.get(path)


def fields(binding: Binding[AnyCollection]) -> Iterator[Field]:
    """Every field of the entity in declared order, embedded fields after their parent."""
    for attribute in binding.entity.attributes:
        yield from _field(binding, attribute, attribute.name, stored_name(binding, attribute))


def _field(binding: Binding[AnyCollection], attribute: Attribute, path: str, stored: str) -> Iterator[Field]:
    yield Field(path, stored, attribute, native_type(attribute.type, chosen_type(binding, path)))
    inner = element(attribute.type)
    if isinstance(inner, Struct):
        for part in inner.parts:
            yield from _field(binding, part, f"{path}.{part.name}", f"{stored}.{part.stored}")


def array_prefixes(binding: Binding[AnyCollection], path: str) -> tuple[str, ...]:
    """The arrays on a path, its end included, outermost first."""
    attributes = resolve(binding.entity.attributes, path) or ()
    return tuple(
        ".".join(parent.name for parent in attributes[: depth + 1])
        for depth, attribute in enumerate(attributes)
        if isinstance(attribute.type, (Many, Tuple))
    )
