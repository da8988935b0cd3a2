"""CAS001: a pattern does not restrict the complete partition key, so that no single node can answer."""

from collections.abc import Iterator

from keywright.access.path import AccessPath, NotServed
from keywright.access.query import request
from keywright.access.search import Planned
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.ir.text import counted

from ..access.calls import Select
from ..access.fixes import GLOBAL_PER_SECOND
from ..access.layout import layout
from ..access.paths.key_match import keyed
from ..schema.target import KeyspaceTarget
from .unsuitable_index import has_unique_entries

_KEYED = ("get", "read", "count", "update", "increment", "delete")


def models(context: RuleContext, *, per_second: int = GLOBAL_PER_SECOND) -> Iterator[FindingDraft]:
    """Every such pattern that nothing serves, and every one that an index serves at too high a rate.

    per_second: most queries per second of an index without a partition.
    """
    for plan in context.plans:
        if plan.binding.engine != "cassandra" or plan.pattern.unserved is not None:
            continue
        pattern, path = plan.pattern, plan.path
        if isinstance(path, NotServed):
            if (reason := _unrestricted(plan, path)) is not None:
                yield FindingDraft(
                    problem=f"its partition is not known: {reason}",
                    help="add it to eq=, keep the rows in another CqlTable that is partitioned by what is asked, or "
                    "say why nothing has to serve it, by unserved=",
                    subject=pattern.name,
                    at=pattern.at,
                )
        elif isinstance(path.call, Select) and path.call.keys:
            rate = pattern.load.peak_per_second or pattern.load.per_second or 0
            if rate > per_second and not _is_unique(plan, path.by.name):
                yield FindingDraft(
                    problem=f"{path.by} is asked {counted(rate, 'time', spec=',.0f')} a second without a "
                    f"partition, which every node answers; {counted(per_second, 'is allowed', 'are allowed')}",
                    help="add the partition key to eq=, or keep the rows in another CqlTable that is partitioned by "
                    "what is asked",
                    subject=pattern.name,
                    at=pattern.at,
                    severity="warning",
                )


def _unrestricted(plan: Planned[KeyspaceTarget], path: NotServed) -> str | None:
    """The reason why the partition of a pattern is not known, and why an index does not help.

    None if the partition is known, or if the pattern lacks something else.
    """
    entity_layout = layout(plan.target, plan.binding)
    if entity_layout is None or plan.parts or plan.pattern.kind not in _KEYED or plan.pattern.joins:
        return None
    query = request(plan.pattern, entity_layout.identity)
    if any(condition.kind in ("search", "near") for condition in query.conditions):
        return None
    match = keyed(entity_layout.table, query, entity_layout.attributes)
    if not isinstance(match, str):
        return None
    indexes = {index.name for index in entity_layout.indexes if query.on(index.part.cell.field)}
    index_reasons = (
        f", and {rejected.by}: {rejected.reason}" for rejected in path.rejected if rejected.by.name in indexes
    )
    return match + next(index_reasons, "")


def _is_unique(plan: Planned[KeyspaceTarget], name: str) -> bool:
    """Whether the index has an entry for each row, which CAS035 reports."""
    entity_layout, path = layout(plan.target, plan.binding), plan.path
    call = path.call if isinstance(path, AccessPath) else None
    if entity_layout is None or not isinstance(call, Select):
        return False
    return any(
        index.name == name and has_unique_entries(plan.binding, index, plan.pattern) for index in entity_layout.indexes
    )
