"""Types, fields and keys with personal data (`kw.Pii()`)."""

from collections.abc import Iterable

from .attribute import Type
from .binding import Binding
from .entity import parts, resolve


def is_personal(type: Type) -> bool:
    """Whether a value of the type, or a part of it, is personal data."""
    return type.facts.is_personal or any(map(is_personal, parts(type)))


def has_personal_fields(binding: Binding) -> bool:
    """Whether an entity has personal data."""
    return any(is_personal(attribute.type) for attribute in binding.entity.attributes)


def is_personal_path(binding: Binding, path: str) -> bool:
    """Whether the field or computed attribute at a dotted path has personal data, or is inside such a field."""
    if path in binding.computed:
        return any(is_personal_path(binding, part.path) for part in binding.computed[path].placeholders)
    attributes = resolve(binding.entity.attributes, path) or ()
    return any(attribute.type.facts.is_personal for attribute in attributes) or bool(
        attributes and is_personal(attributes[-1].type)
    )


def has_personal_keys(binding: Binding) -> bool:
    """Whether a key or a computed attribute contains a personal field."""
    templates = (*binding.templates.values(), *binding.computed.values())
    return any(is_personal_path(binding, part.path) for template in templates for part in template.placeholders)


def has_personal_key(binding: Binding, fields: Iterable[str]) -> bool:
    """Whether the identifying fields of an item have personal data.

    fields: the fields of its key.
    """
    return has_personal_keys(binding) or any(is_personal_path(binding, path) for path in fields)
