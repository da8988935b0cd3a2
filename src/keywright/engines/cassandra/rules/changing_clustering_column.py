"""CAS031: a clustering column holds a value that changes, so that each change deletes and inserts a row."""

from collections.abc import Iterator

from keywright.access.path import AccessPath
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.pattern_facts import changed, single
from keywright.engines.findings.rates import calls, items_per_second
from keywright.ir.attribute import Scalar
from keywright.ir.binding import Binding
from keywright.ir.text import counted, figure

from ..access.calls_write import DeleteRows
from ..access.layout import Layout
from ..access.relation import RelationColumn
from ..declare.options import CqlTable
from ..findings.changes import is_state, is_value, words
from ..findings.tables import entities


def models(context: RuleContext, *, share: float = 0.5) -> Iterator[FindingDraft]:
    """Every copy of a changing field, and every state or number that is a key, in a table whose rows are put and
    deleted one by one. A number that is an id, or the last column, may tell rows apart.

    share: deletions allowed for each put.
    """
    for _, binding, layout in entities(context):
        for part in layout.table.clustering:
            if (
                reason := _copied(context, binding, part)
                or _moved(context, binding, layout, part)
                or _replaced(context, binding, layout, part, share)
            ):
                yield FindingDraft(
                    problem=f'"{part.cell.field}" is a clustering column, and {reason}: each change is a delete and an '
                    "insert, and the tombstones of a partition slow down its reads",
                    help=f'remove "{part.cell.field}" from clustering=, update it in place, and sort when reading; '
                    "keep a ranking in a RedisSortedSet",
                    subject=binding.name,
                )
                break


def _copied(context: RuleContext, binding: Binding[CqlTable], part: RelationColumn) -> str:
    """The pattern that changes the source of a copied column; empty if none does."""
    attribute = binding.entity.attribute(part.cell.field)
    copied = attribute.copied_from if attribute else None
    if copied is None or copied.sync == "never":
        return ""
    writes = (pattern for pattern in single(context.design) if pattern.binding == copied.entity)
    return next((f'"{write.name}" changes it' for write in writes if copied.attribute in changed(write)), "")


def _moved(context: RuleContext, binding: Binding[CqlTable], layout: Layout, part: RelationColumn) -> str:
    """The transaction that deletes a row and puts it again under another time or value; empty if there is none."""
    attribute = binding.entity.attribute(part.cell.field)
    if part == layout.table.clustering[-1] or attribute is None or not is_value(attribute):
        return ""
    for plan in context.plans_of(binding):
        kinds = {other.pattern.kind for other in plan.parts if other.binding.name == binding.name}
        if kinds >= {"put", "delete"}:
            return f'"{plan.pattern.name}" deletes a row and puts it again'
    return ""


def _is_id(part: RelationColumn, kind: Scalar) -> bool:
    """Whether a number identifies something, in which case it does not change."""
    return kind.facts.reference is not None or words(part.cell.field)[-1] == "id"


def _replaced(
    context: RuleContext, binding: Binding[CqlTable], layout: Layout, part: RelationColumn, share: float
) -> str:
    """The rates at which rows are replaced; empty if the column is the last one, or most rows remain."""
    kind, attribute = part.cell.type, binding.entity.attribute(part.cell.field)
    is_last = part == layout.table.clustering[-1]
    is_value = isinstance(kind, Scalar) and (
        (kind.kind in ("integer", "float", "decimal") and not is_last and not _is_id(part, kind))
        or kind.kind == "boolean"
        or (attribute is not None and is_state(attribute))
    )
    if not is_value or binding.spec.kind == "queue":
        return ""
    deletions = sum(
        rate * max(1, plan.pattern.batch)
        for plan, rate in calls(context, binding, "delete")
        if rate and plan.pattern.because == "request" and isinstance(plan.path, AccessPath)
        and isinstance(plan.path.call, DeleteRows) and len(plan.path.call.key) == len(layout.keys)
    )  # fmt: skip
    puts = items_per_second(context, binding, "put") or 0
    if not puts or deletions < share * puts:
        return ""
    return f"{counted(puts, 'row', spec=figure)} a second are put and {figure(deletions)} deleted"
