"""MDB044: a wildcard index serves queries of fields whose names are known.

https://www.mongodb.com/docs/manual/core/indexes/index-types/index-wildcard/ (2026-11-23)
"""

from collections.abc import Iterator

from keywright.access.path import AccessPath
from keywright.access.query import request
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.mongodb.access.layout import view
from keywright.errors import quoted


def models(context: RuleContext) -> Iterator[FindingDraft]:
    """Every wildcard index that serves a pattern: patterns compare declared fields only."""
    fields_by_index: dict[tuple[str, str], list[str]] = {}
    for plan in context.plans:
        layout = view(plan.target, plan.binding) if plan.binding.engine == "mongodb" else None
        if layout is None or not isinstance(plan.path, AccessPath):
            continue
        for index in layout.indexes:
            if index.kind == "wildcard" and index.by == plan.path.by:
                fields = (condition.field for condition in request(plan.pattern, layout.key_fields).conditions)
                fields_by_index.setdefault((plan.binding.name, index.target.name), []).extend(fields)
    for (binding, name), fields_of_patterns in fields_by_index.items():
        names = quoted(dict.fromkeys(fields_of_patterns))
        yield FindingDraft(
            problem=f"it has an entry for every field of a document, but its patterns compare only {names}; it serves "
            "neither compound conditions nor sorts",
            help=f"replace it by kw.Index(...) over {names}, with the equality fields first, then the sort",
            subject=binding,
            part=name,
        )
