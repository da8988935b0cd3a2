"""Where the documents of an entity are, for a pass over all of them."""

from keywright.engines.pages import Work

from .target import DatabaseTarget


def work(database: DatabaseTarget, entity: str) -> Work:
    """See `Engine.work`: a collection, of several generations the newest."""
    shape = next(one for one in database.shape if one.name == entity)
    name = dict(shape.keys)["collection"]
    newest = max((one for one in database.collections if one.name == name), key=lambda one: one.generation)
    return Work(
        object=f"{database.name}.{newest.physical_name}",
        reads=(),
        writes=(),
        types={one.stored: one.type for one in shape.fields},
        mark=shape.mark,
    )
