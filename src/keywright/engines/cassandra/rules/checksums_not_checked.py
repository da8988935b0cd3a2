"""CAS023: checksums of compressed blocks are not checked, so that damaged blocks are returned and copied."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, TargetInEnvironment
from keywright.ir.text import exact

from ..findings.tables import tables


def stored(target: TargetInEnvironment, *, least: float = 0.5) -> Iterator[FindingDraft]:
    """Every table with a low chance of a check.

    least: the smallest allowed share of reads that check the checksum.
    """
    for table in tables(target):
        chance = table.options.get("crc_check_chance", 1.0)
        if isinstance(chance, (int, float)) and chance < least:
            yield FindingDraft(
                problem=f'table "{table.table.name}" has crc_check_chance {exact(float(chance))}: '
                f"{100 * (1 - chance):.0f} % of reads return damaged blocks unnoticed, and repairs copy them to other "
                "replicas",
                help="remove crc_check_chance from settings= for the default of 1",
                subject=table.subject,
            )
