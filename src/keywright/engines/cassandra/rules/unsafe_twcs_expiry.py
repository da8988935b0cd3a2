"""CAS115: expired files are dropped without a check of older files, so that rows that they hid return."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, TargetInEnvironment

from ..findings.tables import tables

OPTION = "unsafe_aggressive_sstable_expiration"
"""The option of the strategies that drop expired files."""


def stored(target: TargetInEnvironment) -> Iterator[FindingDraft]:
    """Every table with this option."""
    for table in tables(target):
        if table.compaction.get(OPTION) == "true":
            yield FindingDraft(
                problem=f'table "{table.table.name}" says {OPTION}: a file is dropped though it hides older rows in '
                "others, which then come back",
                help=f"leave {OPTION} out of settings=, and repair the table in time",
                subject=table.subject,
            )
