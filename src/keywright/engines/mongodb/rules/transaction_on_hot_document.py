"""MDB041: many transactions change the same document.

https://www.mongodb.com/docs/manual/core/transactions-production-consideration/ (2026-11-23) contains no number; the
default is ours.
"""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.mongodb.findings.hot_documents import MOST_CONFLICTING, changes_of_one
from keywright.ir.text import counted, figure


def models(context: RuleContext, *, max_rate: float = MOST_CONFLICTING) -> Iterator[FindingDraft]:
    """Every transaction that changes one document more often, by `hot_key=` or by the number of documents.

    max_rate: transactions per second that may change one document.
    """
    for plan in context.plans:
        pattern = plan.pattern
        if pattern.kind != "transact" or plan.binding.engine != "mongodb":
            continue
        for part in plan.parts:
            if part.pattern.kind not in ("update", "increment"):
                continue
            rate = changes_of_one(part.binding, pattern.load, part.pattern.batch)
            if rate > max_rate:
                yield FindingDraft(
                    problem=f"{figure(rate)} transactions a second change one document of {part.binding.name}, "
                    f"{counted(max_rate, 'is recommended', 'are recommended')}: they conflict on it and abort",
                    help=f"change {part.binding.name} after the transaction by a single kw.Increment, or spread the "
                    "number over several documents that readers add up",
                    subject=pattern.name,
                    at=pattern.at,
                )
                break
