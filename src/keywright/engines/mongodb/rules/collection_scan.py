"""MDB009: a pattern that nothing serves, for a reason, looks at every document too often.

https://www.mongodb.com/docs/manual/reference/explain-results/ (2026-11-22); the number is ours.
"""

from collections.abc import Iterator

from keywright.access.path import NotServed
from keywright.engines.flaws.context import Flaw, Whole
from keywright.engines.flaws.observation import Seen
from keywright.engines.mongodb.fields import store_of

_SCANNING = ("get", "read", "count", "aggregate", "update", "increment", "delete")


def models(whole: Whole, *, max_documents: int = 100_000) -> Iterator[Flaw]:
    """Every pattern with `unserved=` by whose rate more documents are looked at.

    max_documents: documents a second that accepted scans of one pattern may look at.
    """
    for plan in whole.plans:
        pattern, rate = plan.pattern, plan.pattern.load.per_second
        if plan.binding.engine != "mongodb" or not isinstance(plan.path, NotServed) or not pattern.unserved:
            continue
        count = store_of(plan.binding).expected
        if pattern.kind not in _SCANNING or pattern.search or pattern.near or count is None or rate is None:
            continue
        if count * rate > max_documents:
            yield Flaw(
                problem=f"each call looks at all {count} documents of {plan.binding.name}, which comes to "
                f"{count * rate:.0f} a second, {max_documents} are a good bound",
                help="give it the index that `keywright patterns` prints without unserved=, or ask less often",
                subject=pattern.name,
                at=pattern.at,
            )


def live(seen: Seen, *, max_scanned: int = 1000) -> Iterator[Flaw]:
    """Every pattern for which the server reads a whole collection, and every collection of which its profiler kept that
    somebody did.

    max_scanned: documents that such an operation may have read.
    """
    plans = {plan.pattern.name: plan for plan in seen.plans()}
    for name, asked in seen.found.asked.items():
        if "COLLSCAN" in asked.stages and name in plans:
            yield Flaw(
                problem="the server reads the whole collection for it, in place of its index",
                help="`keywright drift` shows whether the index is as it should be",
                subject=name,
                at=plans[name].pattern.at,
            )
    for place, figures in seen.found.tables.items():
        count, worst = (figures.get(name, 0) for name in ("scans", "scanned_most"))
        if isinstance(worst, (int, float)) and worst > max_scanned:
            yield Flaw(
                problem=f"the profiler has kept {count:,} operations that read all of {place}, of which the worst "
                f"read {worst:,} documents",
                help="see system.profile for who asks what; declare it as a pattern, which then says its index",
                subject=seen.subject(place),
            )
