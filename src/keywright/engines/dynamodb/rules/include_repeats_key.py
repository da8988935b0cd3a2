"""DDB107: an index names attributes to be projected that are keys, and are there anyway."""

from collections.abc import Iterator

from keywright.engines.flaws.context import Flaw, Stored


def stored(one: Stored) -> Iterator[Flaw]:
    """Every such index."""
    table = one.declared
    for index in (*table.indexes, *table.local_indexes):
        keys = {part.attribute for part in (*index.keys, *table.keys)}
        repeated = [name for name in index.included if name in keys]
        if repeated:
            names = ", ".join(f'"{name}"' for name in repeated)
            yield Flaw(
                problem=f'index "{index.name}" projects {names}, a key of it or of its table, which is there anyway',
                help=f"leave {names} out of project=",
                subject=table.name,
                part=index.name,
            )
