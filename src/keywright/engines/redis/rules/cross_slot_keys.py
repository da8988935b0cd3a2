"""RED103: a transaction changes keys that may be on several nodes of a cluster."""

from collections.abc import Iterator

from keywright.access.path import AccessPath, NotServed
from keywright.engines.findings.context import FindingDraft, RuleContext

from ..access.calls import Write
from ..access.layout import layout_of
from ..access.paths.plan import tag_of


def models(context: RuleContext) -> Iterator[FindingDraft]:
    """Transactions on a cluster whose keys do not share the field in their braces."""
    for plan in context.plans:
        if not isinstance(plan.path, NotServed) or plan.binding.engine != "redis" or len(plan.parts) < 2:
            continue
        layout = layout_of(plan.target, plan.binding)
        writes = [part.path.call for part in plan.parts if isinstance(part.path, AccessPath)]
        tags = {tag_of(call) for call in writes if isinstance(call, Write)}
        if (
            layout is not None
            and layout.is_cluster
            and len(writes) == len(plan.parts)
            and (len(tags) > 1 or "" in tags)
        ):
            listed = ", ".join(
                sorted({f'"{part.path.by.name}"' for part in plan.parts if isinstance(part.path, AccessPath)})
            )
            yield FindingDraft(
                problem=f"its keys, {listed}, need not be on one node of the cluster, and what is done at once must be",
                help="put the same {field:tag} into each key, or write them one after the other",
                subject=plan.pattern.name,
                at=plan.pattern.at,
            )
