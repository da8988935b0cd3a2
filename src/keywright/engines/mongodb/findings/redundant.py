"""The test for an index that makes a shorter index redundant.

https://www.mongodb.com/docs/manual/core/indexes/index-types/index-compound/#index-prefixes (2026-11-22)
"""

from keywright.engines.contract.shape import EntityShape

from ..schema.target import IndexTarget


def replaces(longer: IndexTarget, index: IndexTarget, entity: EntityShape | None) -> bool:
    """Whether an index serves every query that a shorter index serves."""
    count = len(index.keys)
    if len(longer.keys) <= count or not (_is_plain(longer) and _is_plain(index)):
        return False
    if index.is_unique or index.expire_after_seconds is not None or index.is_hidden or longer.is_hidden:
        return False
    # A longer sparse index also contains documents without the fields of the shorter index.
    if (index.filter, index.is_sparse, index.collation) != (longer.filter, longer.is_sparse, longer.collation):
        return False
    pairs = list(zip(index.keys, longer.keys, strict=False))
    if any(short_key[0] != long_key[0] for short_key, long_key in pairs):
        return False
    directions_match = {short_key[1] == long_key[1] for short_key, long_key in pairs}
    return len(directions_match) == 1 and not any(_is_array(path, entity) for path, _ in longer.keys[count:])


def _is_plain(index: IndexTarget) -> bool:
    return (
        all(isinstance(direction, int) and not path.endswith("$**") for path, direction in index.keys)
        and not index.others
    )


def _is_array(path: str, entity: EntityShape | None) -> bool:
    """Whether a path leads through an array, so that an index over it has several entries for a document."""
    arrays = [field.stored for field in entity.fields if field.type == "array"] if entity else []
    return any(f"{path}.".startswith(f"{array}.") for array in arrays)
