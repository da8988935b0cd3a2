"""DDB021: a transaction writes more items, or more bytes, than the service takes at once."""

from collections.abc import Iterator

from keywright.engines.dynamodb.access.layout import entity_of
from keywright.engines.dynamodb.access.size import item_bytes
from keywright.engines.dynamodb.capabilities import TRANSACTION_BYTES, TRANSACTION_WRITES
from keywright.engines.flaws.context import Flaw, Whole


def models(whole: Whole) -> Iterator[Flaw]:
    """Every such transaction."""
    for plan in whole.plans:
        if not plan.parts or any(part.binding.engine != "dynamodb" for part in plan.parts):
            continue
        items, size = 0, 0.0
        for part in plan.parts:
            entity = entity_of(part.target, part.binding)
            if entity is not None:
                count, bytes_each = part.pattern.batch * entity.shape.copies, item_bytes(entity)
                items += count
                size += count * (bytes_each.low if bytes_each.expected is None else bytes_each.expected)
        most, most_bytes = TRANSACTION_WRITES.value, TRANSACTION_BYTES.value
        if items > most:
            problem = f"it writes {items} items, and DynamoDB takes {most} in a transaction"
        elif size > most_bytes:
            problem = (
                f"it writes {size / 1024**2:.1f} MB, and DynamoDB takes {most_bytes // 1024**2} MB in a transaction"
            )
        else:
            continue
        yield Flaw(
            problem=problem,
            help="split it into transactions that are right by themselves, or lower batch=",
            subject=plan.pattern.name,
            at=plan.pattern.at,
        )
