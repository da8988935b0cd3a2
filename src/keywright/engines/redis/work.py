"""Where the values of an entity are, for a pass over all of them."""

from keywright.engines.pages import Work

from .place import prefix
from .target import ServerTarget


def work(server: ServerTarget, entity: str) -> Work:
    """See `Engine.work`: keys that its template can make, in the generation of the server."""
    shape = next(one for one in server.shape if one.name == entity)
    structure = next(one for one in server.structures if one.entity == entity)
    begins = prefix(server.generation)

    def keys(pairs: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
        return tuple((argument, begins + template) for argument, template in pairs if argument == "key")

    return Work(
        object=server.name,
        reads=(),
        writes=(),
        types={one.stored: one.type for one in shape.fields},
        keys=keys(shape.keys),
        others=tuple(keys(one.keys) for one in server.shape if one.name != entity),
        kind=structure.kind,
        value=structure.value or "",
    )
