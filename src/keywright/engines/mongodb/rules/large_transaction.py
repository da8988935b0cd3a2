"""MDB021: a transaction changes more documents than MongoDB recommends."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.mongodb.schema.capabilities import TRANSACTION_DOCUMENTS
from keywright.ir.text import counted


def models(context: RuleContext, *, max_documents: int = TRANSACTION_DOCUMENTS.value) -> Iterator[FindingDraft]:
    """Every transaction whose writes change more documents.

    max_documents: documents that a transaction may change.
    """
    for plan in context.plans:
        if plan.pattern.kind != "transact" or plan.binding.engine != "mongodb":
            continue
        count = sum(part.pattern.batch for part in plan.parts)
        if count > max_documents:
            yield FindingDraft(
                problem=f"one transaction changes {counted(count, 'document', spec=',')}, "
                f"{counted(max_documents, 'is recommended', 'are recommended', spec=',')}: "
                "it holds locks and cache until it commits, and aborts after a minute",
                help=f"divide it: a batch= of "
                f"{counted(max_documents, 'document', spec=',')} at most in each transaction, or writes "
                "without kw.Transact that can be repeated",
                subject=plan.pattern.name,
                at=plan.pattern.at,
            )
