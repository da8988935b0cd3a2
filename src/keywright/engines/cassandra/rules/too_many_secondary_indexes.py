"""CAS014: a table has so many indexes of the old kind that every write pays for them, and reads ask many nodes."""

from collections.abc import Iterator

from keywright.engines.flaws.context import Flaw, Stored

from ..tables import tables


def stored(one: Stored, *, max: int = 2) -> Iterator[Flaw]:
    """Every table with more of them than that; storage-attached ones share their files, and do not count.

    max: indexes of the old kind that a table may have.
    """
    for table in tables(one):
        found = [
            index.name for index in one.placed.indexes if index.table == table.table.name and index.using == "legacy"
        ]
        if len(found) > max:
            listed = ", ".join(f'"{name}"' for name in found)
            yield Flaw(
                problem=f'table "{table.table.name}" has {len(found)} secondary indexes, {listed}; {max} are allowed',
                help="keep the rows in a second CqlTable that is partitioned by what is asked; or, from Cassandra 5.0 "
                'on, say using="sai"',
                subject=table.subject,
            )
