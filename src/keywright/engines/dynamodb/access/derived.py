"""What is stored beside the fields of an entity and made of them: what an update must keep right."""

from collections.abc import Iterator
from functools import lru_cache

from keywright.ir.entity import resolve
from keywright.ir.template import Template

from ..lower import ttl_attribute
from .calls import Made
from .layout import Entity
from .templates import parse

Derived = tuple[Made, tuple[str, ...]]
"""Attributes that templates make, and the fields that they are made of."""


@lru_cache(maxsize=4096)
def derived_of(entity: Entity) -> tuple[Derived, ...]:
    """Everything that is made of an entity's fields: computed attributes, its expiry, keys in indexes."""
    return tuple(_derived(entity))


@lru_cache(maxsize=4096)
def key_sources(entity: Entity) -> tuple[str, ...]:
    """The fields that the table's key is made of, computed attributes among them by both names."""
    named = (one.path for part in entity.key.key for one in part.template.placeholders if one.path)
    return tuple(dict.fromkeys(source for path in named for source in (path, *entity.sources(path))))


def touches(changed: str, sources: tuple[str, ...]) -> bool:
    """Whether changing a field changes what is made of some: itself, what is around one of them, or inside it."""
    if changed in sources:
        return True
    return any(one.startswith(f"{changed}.") or changed.startswith(f"{one}.") for one in sources)


def _derived(entity: Entity) -> Iterator[tuple[Made, tuple[str, ...]]]:
    """Whatever is stored beside the fields and made of them, with the fields that it is made of."""
    for name, template in entity.computed.items():
        paths = entity.sources(name)
        yield Made("", ((name, entity.native(name), template),), optional=_nullable(entity, paths)), paths
    field = entity.binding.entity.ttl
    expiry = ttl_attribute(entity.binding)
    if field is not None and expiry is not None and expiry != field.stored:
        made = Made(
            "",
            ((expiry, "N", parse(f"{{{field.name}}}")),),
            optional=(field.name,),
            after_seconds=field.ttl_after_seconds,
        )
        yield made, (field.name,)
    own = {one.stored for one in entity.attributes} | set(entity.computed)
    for route in entity.routes:
        if not route.index or all(part.attribute in own for part in route.key):
            continue
        if route.by.kind == "lsi":
            continue
        parts = tuple((part.attribute, part.native, part.template) for part in route.key)
        if not route.where and not route.optional:  # the entity is always in the index: each half stands by itself
            yield from ((Made(route.index, (part,), (), ()), _paths(part[2])) for part in parts)
            continue
        used = [path for _, _, template in parts for path in _paths(template)]
        used += [source for one in route.where for source in entity.sources(one.field)]
        made = Made(route.index, parts, route.where, route.optional)
        yield made, tuple(dict.fromkeys(used))


def _paths(template: Template) -> tuple[str, ...]:
    return tuple(dict.fromkeys(one.path for one in template.placeholders if one.path))


def _nullable(entity: Entity, paths: tuple[str, ...]) -> tuple[str, ...]:
    found = ((path, resolve(entity.attributes, path)) for path in paths)
    return tuple(path for path, along in found if along and any(one.is_nullable for one in along))
