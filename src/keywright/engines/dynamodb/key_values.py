"""How many values a key takes."""

from keywright.ir.attribute import Scalar
from keywright.ir.binding import Binding
from keywright.ir.entity import element, resolve
from keywright.ir.template import Template


def values_of(binding: Binding, template: Template) -> int | None:
    """How many values a template takes; None where nobody knows."""
    count = 1
    if not template.placeholders:
        return None  # one item, or a collection that is meant
    for placeholder in template.placeholders:
        found = resolve(binding.entity.attributes, placeholder.path) if placeholder.path else None
        kind = element(found[-1].type) if found else None
        if placeholder.shards or not isinstance(kind, Scalar):
            return None
        values = len(kind.constants) or (2 if kind.kind == "boolean" else kind.facts.distinct)
        if values is None:
            return None
        count *= values
    return count
