"""MDB106: an index is the beginning of another one, which serves all that it serves.

https://www.mongodb.com/docs/manual/core/indexes/index-types/index-compound/#index-prefixes (2026-11-22)
"""

from collections.abc import Iterator

from keywright.engines.flaws.context import Flaw, Stored
from keywright.engines.flaws.fix import DropPart, Fix
from keywright.engines.mongodb.target import IndexTarget
from keywright.engines.shape import EntityShape


def stored(one: Stored) -> Iterator[Flaw]:
    """Every ordinary index whose fields another one of the same rules begins with, in this order or wholly reversed."""
    entities = {dict(entity.keys).get("collection", ""): entity for entity in one.declared.shape}
    for collection in one.declared.collections:
        entity = entities.get(collection.name)
        for index in collection.indexes:
            longer = next((other for other in collection.indexes if _replaces(other, index, entity)), None)
            if longer is not None:
                yield Flaw(
                    problem=f'index "{index.name}" is the beginning of "{longer.name}", and every write keeps both',
                    help=f'remove it: "{longer.name}" serves whatever it serves',
                    subject=entity.name if entity else collection.physical_name,
                    part=index.name,
                    fix=Fix((DropPart(),), is_safe=True),
                )


def _replaces(longer: IndexTarget, index: IndexTarget, entity: EntityShape | None) -> bool:
    """Whether an index serves whatever a shorter one serves."""
    count = len(index.keys)
    if len(longer.keys) <= count or not (_is_plain(longer) and _is_plain(index)):
        return False
    if index.is_unique or index.expire_after_seconds is not None or index.is_hidden or longer.is_hidden:
        return False
    if (index.filter, index.collation) != (longer.filter, longer.collation):
        return False
    pairs = list(zip(index.keys, longer.keys, strict=False))
    if any(mine[0] != other[0] for mine, other in pairs):
        return False
    turned = {mine[1] == other[1] for mine, other in pairs}
    return len(turned) == 1 and not any(_is_array(path, entity) for path, _ in longer.keys[count:])


def _is_plain(index: IndexTarget) -> bool:
    return all(isinstance(way, int) and not path.endswith("$**") for path, way in index.keys) and not index.others


def _is_array(path: str, entity: EntityShape | None) -> bool:
    """Whether a path leads through an array, so that an index over it has several entries for a document."""
    arrays = [one.stored for one in entity.fields if one.type == "array"] if entity else []
    return any(f"{path}.".startswith(f"{one}.") for one in arrays)
