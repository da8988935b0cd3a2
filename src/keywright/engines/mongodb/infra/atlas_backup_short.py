"""INF514: an Atlas cluster keeps its backups for too few days."""

from collections.abc import Iterator
from typing import Any

from keywright.engines.findings.context import FindingDraft
from keywright.engines.findings.program.resource import ProgramResource
from keywright.ir.text import counted

SCHEDULE = "mongodbatlas:index/cloudBackupSchedule:CloudBackupSchedule"

_ITEMS = ("policyItemHourly", "policyItemDaily", "policyItemWeeklies", "policyItemMonthlies", "policyItemYearlies")

_DAYS = {"days": 1, "weeks": 7, "months": 30, "years": 365}


def resource(program_resource: ProgramResource, *, days: int = 7) -> Iterator[FindingDraft]:
    """Report every schedule whose longest retention is shorter.

    days: shortest retention in days.
    """
    if program_resource.type != SCHEDULE:
        return
    items = [item for name in _ITEMS for item in _listed(program_resource.value(name))]
    kept = max((item["retentionValue"] * _DAYS.get(item["retentionUnit"], 1) for item in items), default=0)
    if kept < days:
        cause = f"its longest retention is {counted(kept, 'day')}, below {days}" if items else "it keeps no snapshots"
        yield FindingDraft(
            problem=f"{cause}: a mistake that is found later cannot be undone",
            help=f"set policy_item_daily= with the interval 1 and a retention of {counted(days, 'day')}",
            subject=program_resource.urn,
        )


def _listed(value: Any) -> list[Any]:
    if value is None:
        return []
    return value if isinstance(value, list) else [value]
