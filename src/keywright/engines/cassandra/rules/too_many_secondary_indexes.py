"""CAS014: too many indexes of the old kind on a table, which slow every write and send reads to many nodes."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, TargetInEnvironment
from keywright.ir.text import counted

from ..findings.tables import tables


def stored(target: TargetInEnvironment, *, max: int = 2) -> Iterator[FindingDraft]:
    """Every table with too many of them. Storage-attached indexes share their files and do not count.

    max: most indexes of the old kind on a table.
    """
    for table in tables(target):
        names = [
            index.name for index in target.placed.indexes if index.table == table.table.name and index.using == "legacy"
        ]
        if len(names) > max:
            listed = ", ".join(f'"{name}"' for name in names)
            yield FindingDraft(
                problem=f'table "{table.table.name}" has '
                f"{counted(len(names), 'secondary index', 'secondary indexes')}, {listed}; "
                f"{counted(max, 'is allowed', 'are allowed')}",
                help="keep the rows in a second CqlTable that is partitioned by what is asked; or, from Cassandra 5.0 "
                'on, say using="sai"',
                subject=table.subject,
            )
