"""Items of one table in groups, each of which is an entity."""

from collections.abc import Mapping, Sequence
from typing import Any

from keywright.engines.contract.naming import RESERVED
from keywright.record import Record

from .key_template import shape_of

DISCRIMINATORS = (
    "entity_type", "entityType", "_type", "type", "Type", "entity", "kind", "__edb_e__", "_et", "__typename",
)  # fmt: skip
"""Names of attributes that libraries and people use for the kind of an item, in the order in which they are tried."""

LEAST = 3
"""Least number of items of an entity; fewer show nothing."""


class Cluster(Record):
    """Items of one entity."""

    name: str
    """Its name, from the discriminator or the first words of its key."""
    items: tuple[Mapping[str, Any], ...]
    """The items in plain form."""


class Clusters(Record):
    """The items of a table."""

    discriminator: str | None
    """The attribute whose values are the class names; None if the key tells the entities apart."""
    clusters: tuple[Cluster, ...]
    """The entities; one for all items if they cannot be told apart."""


def clusters_of(items: Sequence[Mapping[str, Any]], keys: Sequence[str], table: str) -> Clusters:
    """The entities of a table's items.

    keys: names of the key attributes. table: the name of a single entity.
    """
    for name in DISCRIMINATORS:
        values = {str(item.get(name, "")) for item in items}
        if name not in keys and all(map(_is_class, values)) and len(values) <= len(items) / LEAST:
            groups = ((value, tuple(item for item in items if item[name] == value)) for value in sorted(values))
            return Clusters(name, tuple(Cluster(value, group) for value, group in groups))
    shapes: dict[tuple[tuple[str, ...], ...], list[Mapping[str, Any]]] = {}
    for item in items:
        shapes.setdefault(tuple(shape_of(str(item[key])) for key in keys), []).append(item)
    if (
        len(shapes) > 1
        and all(any(shape) and len(group) >= LEAST for shape, group in shapes.items())
        and _differ(shapes)
    ):
        clusters = (Cluster(_name(shape), tuple(group)) for shape, group in sorted(shapes.items()))
        return Clusters(None, tuple(clusters))
    return Clusters(None, (Cluster(table, tuple(items)),))


def _differ(shapes: Mapping[tuple[tuple[str, ...], ...], Sequence[Mapping[str, Any]]]) -> bool:
    """Whether words in small letters belong to items with different attributes: otherwise they may be stored values."""
    small = [group for shape, group in shapes.items() if not all(word.isupper() for part in shape for word in part)]
    attributes = [frozenset(name for item in group for name in item) for group in small]
    return len(set(attributes)) == len(attributes)


def _is_class(value: str) -> bool:
    """Whether a discriminator's value is the name of a class."""
    return value.isidentifier() and value[:1].isupper() and value not in RESERVED


def _name(shape: tuple[tuple[str, ...], ...]) -> str:
    """The last constant word of the key: ORDER of `USER#…`, `ORDER#…`."""
    words = [part[0] for part in shape if part and part[0]]
    return words[-1] if words else "item"
