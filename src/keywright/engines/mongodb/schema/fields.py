"""Where a field of an entity stands in its documents: read by check, lower and the runtime alike.

A lone `id="{field}"` stores the field as `_id` and not a second time under its own name, since queries by it would then
need a second index; indexes, filters and shard keys that name the field mean `_id`. A template that composes `_id` from
fields leaves those where they are, and without a template the server makes an ObjectId.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from keywright.ir.attribute import Attribute, Many, Struct
from keywright.ir.binding import Binding
from keywright.ir.entity import element, resolve

from .options import Collection, TimeSeries
from .typemap import native_type

ID = "_id"
"""The field that identifies a document."""


@dataclass(frozen=True, slots=True)
class Field:
    """One field of an entity, embedded ones included."""

    path: str
    """Dotted Python names."""
    stored: str
    """Dotted names in the document."""
    attribute: Attribute
    """What is known of it."""
    type: str
    """Its BSON type."""


def store_of(binding: Binding) -> Collection | TimeSeries:
    """The declaration behind a binding of this engine."""
    assert isinstance(binding.spec, (Collection, TimeSeries))
    return binding.spec


def id_attribute(binding: Binding) -> Attribute | None:
    """The attribute whose value is `_id`: that of a lone placeholder, or one with that alias."""
    template = binding.templates.get("id")
    if template is None:
        return next((one for one in binding.entity.attributes if one.stored == ID), None)
    return binding.entity.attribute(template.lone.path) if template.lone else None


def stored_name(binding: Binding, attribute: Attribute) -> str:
    """The name of a top-level attribute in documents."""
    return ID if attribute is id_attribute(binding) else attribute.stored


def stored(binding: Binding, path: str) -> str:
    """The dotted path in documents, of dotted Python names; a name that is no field's is an attribute's own."""
    found = resolve(binding.entity.attributes, path)
    if found is None:
        return path
    inner = (attribute.stored for attribute in found[1:])
    return ".".join((stored_name(binding, found[0]), *inner))


def chosen_type(binding: Binding, path: str) -> str | None:
    """What `types=` says of a field."""
    spec = store_of(binding)
    return spec.types.get(path) if isinstance(spec, Collection) else None


def fields(binding: Binding) -> Iterator[Field]:
    """Every field of the entity in declared order, each embedded one behind that which holds it."""
    yield from _fields(binding, binding.entity.attributes, "")


def _fields(binding: Binding, attributes: tuple[Attribute, ...], prefix: str) -> Iterator[Field]:
    for attribute in attributes:
        path = f"{prefix}{attribute.name}"
        kind = native_type(attribute.type, chosen_type(binding, path))
        yield Field(path, stored(binding, path), attribute, kind)
        inner = element(attribute.type)
        if isinstance(inner, Struct):
            yield from _fields(binding, inner.attributes, f"{path}.")


def array_prefixes(binding: Binding, path: str) -> tuple[str, ...]:
    """The arrays that a path leads through or to, outermost first."""
    found = resolve(binding.entity.attributes, path) or ()
    return tuple(
        ".".join(one.name for one in found[: depth + 1])
        for depth, attribute in enumerate(found)
        if isinstance(attribute.type, Many)
    )
