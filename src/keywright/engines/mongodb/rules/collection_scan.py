"""MDB009: an intentionally unserved pattern scans the whole collection too often.

https://www.mongodb.com/docs/manual/reference/explain-results/ (2026-11-22); the limit is ours.
"""

from collections.abc import Iterator

from keywright.access.path import NotServed
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.observation import LiveTarget
from keywright.ir.text import counted

_SCANNING = ("get", "read", "count", "aggregate", "update", "increment", "delete")


def models(context: RuleContext, *, max_documents: int = 100_000) -> Iterator[FindingDraft]:
    """Every pattern with `unserved=` whose scans examine more documents.

    max_documents: documents per second that accepted scans of one pattern may examine.
    """
    for plan in context.plans:
        pattern, rate = plan.pattern, plan.pattern.load.per_second
        if plan.binding.engine != "mongodb" or not isinstance(plan.path, NotServed) or not pattern.unserved:
            continue
        count = plan.binding.spec.expected
        if pattern.kind not in _SCANNING or pattern.search or pattern.near or count is None or rate is None:
            continue
        if count * rate > max_documents:
            yield FindingDraft(
                problem=f"each call looks at all {counted(count, 'document')} of {plan.binding.name}, which comes to "
                f"{count * rate:.0f} a second, {counted(max_documents, 'is recommended', 'are recommended')}",
                help="give it the index that `keywright patterns` prints without unserved=, or ask less often",
                subject=pattern.name,
                at=pattern.at,
            )


def live(live_target: LiveTarget, *, max_scanned: int = 1000) -> Iterator[FindingDraft]:
    """Every pattern for which the server scans a collection, and every collection with scans in the profiler.

    max_scanned: documents that such an operation may have read.
    """
    plans = {plan.pattern.name: plan for plan in live_target.plans()}
    for name, explanation in live_target.observation.explained.items():
        if "COLLSCAN" in explanation.stages and name in plans:
            yield FindingDraft(
                problem="the server reads the whole collection for it, in place of its index",
                help="`keywright drift` shows whether the index is as it should be",
                subject=name,
                at=plans[name].pattern.at,
            )
    for collection, figures in live_target.observation.tables.items():
        count, worst = (figures.get(name, 0) for name in ("scans", "scanned_most"))
        if isinstance(count, (int, float)) and isinstance(worst, (int, float)) and worst > max_scanned:
            yield FindingDraft(
                problem=f"the profiler has kept {counted(count, 'operation', spec=',')} that read all of "
                f"{collection}, of which the worst read {counted(worst, 'document', spec=',')}",
                help="see system.profile for who asks what; declare it as a pattern, which then says its index",
                subject=live_target.subject(collection),
            )
