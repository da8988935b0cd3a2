"""DDB028: with local indexes, items of one key can exceed 10 GB, or the table has more than five such indexes."""

from collections.abc import Iterator
from math import prod

from keywright.engines.dynamodb.access.cost.size import entry_bytes, item_bytes
from keywright.engines.dynamodb.access.layout import Layout
from keywright.engines.dynamodb.findings.uses import entities, hash_text, is_time, scalar
from keywright.engines.dynamodb.schema.capabilities import COLLECTION_BYTES
from keywright.engines.findings.context import FindingDraft, RuleContext

_KINDS = "event", "reading", "money"
_SMALL = 0.01
"""Share of the limit below which a collection without end is only a hint."""


def models(context: RuleContext) -> Iterator[FindingDraft]:
    """Entities whose items of one key exceed the limit at the expected size, or grow without end."""
    for entity in entities(context):
        if not entity.table.local_indexes:
            continue
        size, limit = _collection_bytes(entity), COLLECTION_BYTES.value
        if size is not None and size > limit:
            growth = f"come to {size / 1024**3:,.0f} GB"
        elif _is_endless(entity):
            growth = "grow without end"
        else:
            continue
        yield FindingDraft(
            problem=f'items of one pk="{hash_text(entity.key)}" {growth}, and with local indexes, which cannot be '
            f"removed, they may be {limit // 1024**3} GB",
            help="put a bucket of time into the partition key; or use Gsi(...), which has no limit",
            subject=entity.binding.name,
            severity="info" if size is not None and size < _SMALL * limit else None,
        )


def _collection_bytes(entity: Layout) -> float | None:
    """Bytes of one key's items and of their entries in local indexes; None if cardinalities are not declared."""
    expected = entity.binding.spec.expected
    kinds = [
        scalar(entity, placeholder.path) for part in entity.key.hashes for placeholder in part.template.placeholders
    ]
    distinct = [(len(kind.constants) or kind.facts.distinct) if kind else None for kind in kinds]
    if expected is None or not all(distinct):
        return None
    sizes = [item_bytes(entity), *(entry_bytes(entity, route) for route in entity.routes if route.by.kind == "lsi")]
    bytes_per_item = sum(size.low if size.expected is None else size.expected for size in sizes)
    return float(bytes_per_item * expected / prod(count or 1 for count in distinct))


def _is_endless(entity: Layout) -> bool:
    """Whether a local index contains a series without a time bucket in the key and without expiry."""
    hashes = [placeholder for part in entity.key.hashes for placeholder in part.template.placeholders]
    sorts = {placeholder.path for part in entity.key.sorts for placeholder in part.template.placeholders}
    return (
        entity.binding.spec.kind in _KINDS
        and entity.table.ttl is None
        and any(route.by.kind == "lsi" for route in entity.routes)
        and bool(sorts - {placeholder.path for placeholder in hashes})
        and not any(is_time(entity, placeholder) for placeholder in hashes)
    )
