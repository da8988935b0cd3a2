"""DDB021: a transaction exceeds 100 items or 4 MB, the limits of DynamoDB."""

from collections.abc import Iterator

from keywright.engines.dynamodb.access.cost.size import item_bytes
from keywright.engines.dynamodb.access.layout import entity_of
from keywright.engines.dynamodb.schema.capabilities import TRANSACTION_BYTES, TRANSACTION_WRITES
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.ir.text import counted


def models(context: RuleContext) -> Iterator[FindingDraft]:
    """Transactions beyond the limits of items or bytes."""
    for plan in context.plans:
        if plan.pattern.kind != "transact" or any(part.binding.engine != "dynamodb" for part in plan.parts):
            continue
        items, size = 0, 0.0
        for part in plan.parts:
            entity = entity_of(part.target, part.binding)
            if entity is not None:
                count, bytes_each = part.pattern.batch * entity.shape.copies, item_bytes(entity)
                items += count
                size += count * (bytes_each.low if bytes_each.expected is None else bytes_each.expected)
        max_items, max_bytes = TRANSACTION_WRITES.value, TRANSACTION_BYTES.value
        if items > max_items:
            problem = f"it writes {counted(items, 'item')}, and DynamoDB takes {max_items} in a transaction"
        elif size > max_bytes:
            problem = (
                f"it writes {size / 1024**2:,.1f} MB, and DynamoDB takes {max_bytes // 1024**2} MB in a transaction"
            )
        else:
            continue
        yield FindingDraft(
            problem=problem,
            help="split it into transactions that are right by themselves, or lower batch=",
            subject=plan.pattern.name,
            at=plan.pattern.at,
        )
