"""How many values a key takes."""

from keywright.ir.attribute import Scalar
from keywright.ir.entity import element, resolve

from .access.layout import Entity, Route


def values_of(entity: Entity, route: Route) -> int | None:
    """How many values the partition half of a key takes; None where nobody knows.

    A key without fields is one item, or a collection that is meant, and nobody knows of a sharded one.
    """
    placeholders = [one for part in route.hashes for one in part.template.placeholders]
    if not placeholders:
        return None
    count = 1
    for placeholder in placeholders:
        found = resolve(entity.attributes, placeholder.path) if placeholder.path else None
        kind = element(found[-1].type) if found else None
        if placeholder.shards or not isinstance(kind, Scalar):
            return None
        values = len(kind.constants) or (2 if kind.kind == "boolean" else kind.facts.distinct)
        if values is None:
            return None
        count *= values
    return count
