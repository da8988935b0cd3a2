"""CAS115: files are dropped by their own times alone, so that what they hid comes back."""

from collections.abc import Iterator

from keywright.engines.flaws.context import Flaw, Stored

from ..tables import tables

OPTION = "unsafe_aggressive_sstable_expiration"
"""The option of strategies that drop files which have expired."""


def stored(one: Stored) -> Iterator[Flaw]:
    """Every table that allows it."""
    for table in tables(one):
        if table.compaction.get(OPTION) == "true":
            yield Flaw(
                problem=f'table "{table.table.name}" says {OPTION}: a file is dropped though it hides older rows in '
                "others, which then come back",
                help=f"leave {OPTION} out of settings=, and repair the table in time",
                subject=table.subject,
            )
