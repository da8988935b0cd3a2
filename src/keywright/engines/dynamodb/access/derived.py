"""Attributes that are computed from an entity's fields, and that updates of these fields must recompute."""

from collections.abc import Iterator
from functools import lru_cache

from keywright.ir.entity import resolve
from keywright.ir.template import Template, lone

from ..schema.lower import ttl_attribute
from .calls import TemplateAttribute
from .layout import Layout

Derived = tuple[TemplateAttribute, tuple[str, ...]]
"""Computed attributes, and the fields from which they are computed."""


@lru_cache(maxsize=4096)
def derived_of(entity: Layout) -> tuple[Derived, ...]:
    """All attributes that are computed from an entity's fields: computed attributes, expiry time, keys in indexes."""
    return tuple(_derived(entity))


@lru_cache(maxsize=4096)
def key_sources(entity: Layout) -> tuple[str, ...]:
    """Fields in the table's key; computed attributes are listed by their own name and by their fields."""
    named = (
        placeholder.path for part in entity.key.key for placeholder in part.template.placeholders if placeholder.path
    )
    return tuple(dict.fromkeys(source for path in named for source in (path, *entity.sources(path))))


def touches(changed: str, sources: tuple[str, ...]) -> bool:
    """Whether a changed field is one of the sources, contains a source, or is inside a source."""
    if changed in sources:
        return True
    return any(source.startswith(f"{changed}.") or changed.startswith(f"{source}.") for source in sources)


def _derived(entity: Layout) -> Iterator[tuple[TemplateAttribute, tuple[str, ...]]]:
    """Computed attributes with the fields from which they are computed."""
    for name, template in entity.computed.items():
        paths = entity.sources(name)
        yield TemplateAttribute("", ((name, entity.native(name), template),), optional=_nullable(entity, paths)), paths
    field = entity.binding.entity.ttl
    expiry = ttl_attribute(entity.binding)
    if field is not None and expiry is not None and expiry != field.stored:
        attribute = TemplateAttribute(
            "",
            ((expiry, "N", lone(field.name)),),
            optional=(field.name,),
            after_seconds=field.ttl_after_seconds,
        )
        yield attribute, (field.name,)
    stored_names = (
        {attribute.stored for attribute in entity.attributes}
        | set(entity.computed)
        | {part.attribute for part in entity.key.key}
    )
    stored_names |= {entity.shape.discriminator.attribute} if entity.shape.discriminator else set()
    for route in entity.routes:
        parts = tuple(
            (part.attribute, part.native, part.template) for part in route.key if part.attribute not in stored_names
        )
        if not route.index or not parts or route.by.kind == "lsi":
            continue
        if not route.where and not route.optional:  # always in the index, so each key attribute changes separately
            yield from ((TemplateAttribute(route.index, (part,), (), ()), _paths(part[2])) for part in parts)
            continue
        used = [path for _, _, template in parts for path in _paths(template)]
        used += [source for condition in route.where for source in entity.sources(condition.field)]
        attribute = TemplateAttribute(route.index, parts, route.where, route.optional)
        yield attribute, tuple(dict.fromkeys(used))


def _paths(template: Template) -> tuple[str, ...]:
    return tuple(dict.fromkeys(placeholder.path for placeholder in template.placeholders if placeholder.path))


def _nullable(entity: Layout, paths: tuple[str, ...]) -> tuple[str, ...]:
    resolved = ((path, resolve(entity.attributes, path)) for path in paths)
    return tuple(
        path for path, attributes in resolved if attributes and any(attribute.is_nullable for attribute in attributes)
    )
