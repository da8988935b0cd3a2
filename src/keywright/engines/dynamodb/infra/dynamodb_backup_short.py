"""INF112: the backup plan of a DynamoDB table keeps its backups for too few days."""

from collections.abc import Iterator, Sequence

from keywright.engines.findings.context import FindingDraft
from keywright.engines.findings.program.resource import NotKnown, ProgramResource
from keywright.ir.text import counted

from .dynamodb_no_backup_plan import SELECTION, TABLE, takes

PLAN = "aws:backup/plan:Plan"


def stack(all: Sequence[ProgramResource], *, days: int = 35) -> Iterator[FindingDraft]:
    """Report every plan for a table with point-in-time recovery whose longest retention is shorter.

    days: shortest retention; point-in-time recovery already covers 35 days.
    """
    tables = [
        resource for resource in all if resource.type == TABLE and resource.value("pointInTimeRecovery.enabled") is True
    ]
    selections = [resource for resource in all if resource.type == SELECTION]
    for plan in all:
        if plan.type != PLAN:
            continue
        own = [selection for selection in selections if _is_of(selection, plan)]
        table = next((table for table in tables for selection in own if takes(selection, table)), None)
        kept = _longest(plan)
        if table is not None and kept is not None and kept < days:
            yield FindingDraft(
                problem=f'the backups of table "{table.name}" are deleted after {counted(kept, "day")}, less than '
                f"the {counted(days, 'day')} of point-in-time recovery: the plan restores nothing more",
                help=f'set lifecycle={{"delete_after": {days}}} or more in one of its rules',
                subject=plan.urn,
            )


def _is_of(selection: ProgramResource, plan: ProgramResource) -> bool:
    """Whether a selection belongs to a plan; the name of a plan serves as its identifier in a program without needs."""
    if plan.urn in selection.needs.get("planId", ()):
        return True
    try:
        return bool(selection.value("planId") == plan.value("name"))
    except NotKnown:
        return False


def _longest(plan: ProgramResource) -> float | None:
    """The longest retention of a plan in days; None if one of its rules keeps backups for ever."""
    kept: list[float | None] = [(rule.get("lifecycle") or {}).get("deleteAfter") for rule in plan.value("rules") or ()]
    return None if None in kept else max((days for days in kept if days is not None), default=None)
