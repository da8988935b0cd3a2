"""RED103: a transaction changes keys that a cluster keeps on several nodes."""

from collections.abc import Iterator

from keywright.access.path import AccessPath, NotServed
from keywright.engines.flaws.context import Flaw, Whole

from ..access.calls import Write
from ..access.held import held
from ..access.paths import tag_of


def models(whole: Whole) -> Iterator[Flaw]:
    """Every transaction on a cluster whose keys do not share the field in their braces."""
    for plan in whole.plans:
        if not isinstance(plan.path, NotServed) or plan.binding.engine != "redis" or len(plan.parts) < 2:
            continue
        found = held(plan.target, plan.binding)
        writes = [part.path.call for part in plan.parts if isinstance(part.path, AccessPath)]
        tags = {tag_of(call) for call in writes if isinstance(call, Write)}
        if found is not None and found.is_cluster and len(writes) == len(plan.parts) and (len(tags) > 1 or "" in tags):
            listed = ", ".join(
                sorted({f'"{part.path.by.name}"' for part in plan.parts if isinstance(part.path, AccessPath)})
            )
            yield Flaw(
                problem=f"its keys, {listed}, need not be on one node of the cluster, and what is done at once must be",
                help="put the same {field:tag} into each key, or write them one after the other",
                subject=plan.pattern.name,
                at=plan.pattern.at,
            )
