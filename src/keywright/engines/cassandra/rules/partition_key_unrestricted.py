"""CAS001: a pattern does not say the partition key in full, so that no node, or every node, would be asked."""

from collections.abc import Iterator

from keywright.access.path import NotServed
from keywright.access.request import request
from keywright.access.search import Planned
from keywright.engines.flaws.context import Flaw, Whole

from ..access.calls import Select
from ..access.fixes import GLOBAL_PER_SECOND
from ..access.keyed import keyed
from ..access.layout import layout
from ..target import KeyspaceTarget

_KEYED = ("get", "read", "count", "update", "increment", "delete")


def models(whole: Whole, *, per_second: int = GLOBAL_PER_SECOND) -> Iterator[Flaw]:
    """Every such pattern that nothing serves, and every one that an index serves at a higher rate than it bears.

    per_second: how often an index may be asked without a partition.
    """
    for plan in whole.plans:
        if plan.binding.engine != "cassandra" or plan.pattern.unserved is not None:
            continue
        pattern, path = plan.pattern, plan.path
        if isinstance(path, NotServed):
            if (reason := _unrestricted(plan, path)) is not None:
                yield Flaw(
                    problem=f"its partition is not known: {reason}",
                    help="add it to eq=, keep the rows in another CqlTable that is partitioned by what is asked, or "
                    "say why nothing has to serve it, by unserved=",
                    subject=pattern.name,
                    at=pattern.at,
                )
        elif isinstance(path.call, Select) and path.call.keys:
            rate = pattern.load.peak_per_second or pattern.load.per_second or 0
            if rate > per_second:
                yield Flaw(
                    problem=f"{path.by} is asked {rate:,.0f} times a second without a partition, which every node "
                    f"answers; {per_second} are allowed",
                    help="add the partition key to eq=, or keep the rows in another CqlTable that is partitioned by "
                    "what is asked",
                    subject=pattern.name,
                    at=pattern.at,
                    severity="warning",
                )


def _unrestricted(plan: Planned[KeyspaceTarget], path: NotServed) -> str | None:
    """Why the partition of a pattern is not known, and why an index on what is asked does not help; None where it is
    known, or where the pattern lacks something else.
    """
    known = layout(plan.target, plan.binding)
    if known is None or plan.parts or plan.pattern.kind not in _KEYED or plan.pattern.joins:
        return None
    asked = request(plan.pattern, known.identity)
    if any(one.how in ("search", "near") for one in asked.asked):
        return None
    found = keyed(known.table, asked, known.attributes)
    if not isinstance(found, str):
        return None
    indexes = {index.name for index in known.indexes if asked.on(index.part.cell.field)}
    tried = (f", and {one.by}: {one.reason}" for one in path.rejected if one.by.name in indexes)
    return found + next(tried, "")
