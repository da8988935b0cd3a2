"""Key templates whose times have the precision of their fields."""

from keywright.record import replace

from .attribute import Attribute, Scalar
from .entity import resolve
from .template import Placeholder, Template

_WRITERS = ("iso", "pad")
"""Filters that write a whole time, whose text depends on its precision."""


def precise(template: Template, attributes: tuple[Attribute, ...]) -> Template:
    """The template with the precision of each time in it: `{at:iso(milliseconds)}` for `{at:iso}` of such a field.

    Everything that reads or writes keys, also without the models, then knows the text of the time.
    """
    parts = tuple(part if isinstance(part, str) else _placeholder(part, attributes) for part in template.parts)
    return template if parts == template.parts else Template("".join(map(str, parts)), parts)


def _placeholder(placeholder: Placeholder, attributes: tuple[Attribute, ...]) -> Placeholder:
    if not any(filter.name in _WRITERS for filter in placeholder.filters):
        return placeholder
    along = resolve(attributes, placeholder.path)
    kind = along[-1].type if along else None
    if not isinstance(kind, Scalar) or kind.precision is None:
        return placeholder
    filters = (
        replace(filter, precision=kind.precision) if filter.name in _WRITERS else filter
        for filter in placeholder.filters
    )
    return Placeholder(placeholder.path, tuple(filters))
