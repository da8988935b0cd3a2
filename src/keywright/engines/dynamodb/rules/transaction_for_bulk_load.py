"""DDB063: a transaction writes many unrelated items of one entity, each at double cost."""

from collections.abc import Iterator
from typing import Any

from keywright.access.search import Planned
from keywright.engines.dynamodb.schema.capabilities import TRANSACTION_WRITES
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.ir.text import counted


def models(
    context: RuleContext, *, max_items: int = 10, related: tuple[str, ...] = ("money",)
) -> Iterator[FindingDraft]:
    """Report every transaction whose parts each write many items.

    max_items: items that a part of a transaction may have. related: kinds of entities whose items
    belong together, such as the entries of a posting, unless they are as many as a transaction takes.
    """
    for plan in context.plans:
        parts = plan.parts
        if not parts or not all(_is_bulk(part, max_items, related) for part in parts):
            continue
        items = sum(part.pattern.batch for part in parts)
        names = " and ".join(dict.fromkeys(part.binding.name for part in parts))
        ways = (f"kw.{part.pattern.kind.title()}(..., batch={part.pattern.batch})" for part in parts)
        yield FindingDraft(
            problem=f"it writes {counted(items, 'item')} of {names} in one transaction: each costs two writes, and a "
            "conflict on one rejects all",
            help=f"declare it as {' and '.join(dict.fromkeys(ways))}, which writes them in batches; retry those that "
            "fail",
            subject=plan.pattern.name,
            at=plan.pattern.at,
        )


def _is_bulk(part: Planned[Any], max_items: int, related: tuple[str, ...]) -> bool:
    """Whether a part writes many items that do not belong together."""
    batch, is_related = part.pattern.batch, part.binding.spec.kind in related
    is_many = max_items < batch and (not is_related or batch >= TRANSACTION_WRITES.value)
    return part.binding.engine == "dynamodb" and part.pattern.kind in ("put", "delete") and is_many
