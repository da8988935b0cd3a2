"""MDB041: many transactions change the same document.

https://www.mongodb.com/docs/manual/core/transactions-production-consideration/ (2026-11-23) contains no number; the
default is ours.
"""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.pattern_facts import expected
from keywright.ir.text import figure


def models(context: RuleContext, *, max_rate: float = 10) -> Iterator[FindingDraft]:
    """Every transaction that changes one document more often, by `hot_key=` or by the number of documents.

    max_rate: transactions per second that may change one document.
    """
    for plan in context.plans:
        pattern, traffic = plan.pattern, plan.pattern.load
        if pattern.kind != "transact" or plan.binding.engine != "mongodb":
            continue
        for part in plan.parts:
            if part.pattern.kind not in ("update", "increment"):
                continue
            count, rate = expected(part.binding), traffic.per_second
            average = rate * part.pattern.batch / count if rate is not None and count else None
            highest = max((each for each in (average, traffic.hot_key_per_second) if each is not None), default=0)
            if highest > max_rate:
                yield FindingDraft(
                    problem=f"{figure(highest)} transactions a second change one document of {part.binding.name}, "
                    f"{max_rate:g} are a good bound: they conflict on it and abort",
                    help=f"change {part.binding.name} after the transaction by a single kw.Increment, or spread the "
                    "number over several documents that readers add up",
                    subject=pattern.name,
                    at=pattern.at,
                )
                break
