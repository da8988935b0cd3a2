"""DDB063: a transaction writes many unrelated items of one entity, each at double cost."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.ir.text import counted


def models(
    context: RuleContext, *, max_items: int = 10, related: tuple[str, ...] = ("money", "stock")
) -> Iterator[FindingDraft]:
    """Report every transaction with one kind of write to many items.

    max_items: items that a transaction of a single kind of write may have. related: kinds of entities whose items
    belong together, such as the entries of a posting.
    """
    for plan in context.plans:
        if len(plan.parts) != 1 or plan.parts[0].binding.engine != "dynamodb":
            continue
        pattern = plan.parts[0].pattern
        is_related = plan.parts[0].binding.spec.kind in related
        if pattern.kind in ("put", "delete") and pattern.batch > max_items and not is_related:
            name = plan.parts[0].binding.name
            yield FindingDraft(
                problem=f"it writes "
                f"{counted(pattern.batch, 'item')} of {name} in one transaction: each costs two writes, and a "
                "conflict on one rejects all",
                help=f"declare it as kw.{pattern.kind.title()}(..., batch={pattern.batch}), which writes them in "
                "batches; retry those that fail",
                subject=plan.pattern.name,
                at=plan.pattern.at,
            )
