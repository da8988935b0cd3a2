"""CAS036: a query has conditions on more indexed columns than a node intersects."""

from collections.abc import Iterator

from keywright.access.path import AccessPath
from keywright.access.query import request
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.errors import quoted
from keywright.ir.text import counted

from ..access.calls import Select
from ..access.layout import layout
from ..schema.capabilities import INTERSECTED_INDEXES


def models(context: RuleContext, *, most: int = INTERSECTED_INDEXES.value) -> Iterator[FindingDraft]:
    """Every such read by storage-attached indexes.

    most: indexes that a query uses at the most.
    """
    for plan in context.plans:
        if not isinstance(plan.path, AccessPath) or not isinstance(plan.path.call, Select):
            continue
        entity_layout = layout(plan.target, plan.binding)
        if plan.path.by.kind != "index" or entity_layout is None:
            continue
        query = request(plan.pattern, entity_layout.identity)
        fields = [
            index.part.cell.field
            for index in entity_layout.indexes
            if index.is_attached and query.on(index.part.cell.field)
        ]
        if len(fields) > most:
            yield FindingDraft(
                problem=f"it has conditions on "
                f"{counted(len(fields), 'indexed column')}, {quoted(fields)}: a node uses "
                f"{counted(most, 'index', 'indexes')} at the most, and filters the rest row by row",
                help="keep the rows in another CqlTable that is partitioned by these columns, and index at most "
                f"{counted(most, 'column')} of a query",
                subject=plan.pattern.name,
                at=plan.pattern.at,
            )
