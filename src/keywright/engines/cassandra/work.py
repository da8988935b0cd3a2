"""Where the rows of an entity are, for a pass over all of them."""

from keywright.engines.pages import Work

from .place import GENERATION
from .target import KeyspaceTarget


def work(keyspace: KeyspaceTarget, entity: str) -> Work:
    """See `Engine.work`: a table, of several generations the newest."""
    shape = next(one for one in keyspace.shape if one.name == entity)
    name = dict(shape.keys)["table"]
    tables = [one.name for one in keyspace.tables if GENERATION.sub("", one.name) == name]
    newest = max(tables, key=lambda one: int(found[1]) if (found := GENERATION.search(one)) else 1)
    return Work(
        object=f"{keyspace.name}.{newest}",
        reads=(),
        writes=(),
        types={one.stored: one.type for one in shape.fields},
        keys=shape.keys,
    )
