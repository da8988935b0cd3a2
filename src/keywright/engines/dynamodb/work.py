"""Where the items of an entity are, for a pass over all of them."""

from keywright.engines.pages import Work

from .target import TableTarget


def work(table: TableTarget, entity: str) -> Work:
    """See `Engine.work`: told by their mark, else by the templates of their keys."""
    shape = next(one for one in table.shape if one.name == entity)
    return Work(
        object=table.name,
        reads=(),
        writes=(),
        types={one.stored: one.type for one in shape.fields},
        mark=shape.mark,
        keys=_keys(shape.keys),
        others=tuple(_keys(one.keys) for one in table.shape if one.name != entity),
    )


def _keys(keys: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    return tuple((argument, template) for argument, template in keys if argument in ("pk", "sk"))
