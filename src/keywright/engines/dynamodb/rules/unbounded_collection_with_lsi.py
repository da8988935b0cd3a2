"""DDB028: with local indexes, items of one key can exceed 10 GB, or the table has more than five such indexes."""

from collections import defaultdict
from collections.abc import Iterator
from math import prod

from keywright.engines.dynamodb.access.cost.size import entry_bytes, item_bytes
from keywright.engines.dynamodb.access.layout import Layout
from keywright.engines.dynamodb.findings.hot_keys import distinct, values_of
from keywright.engines.dynamodb.findings.uses import Use, entities, hash_text, is_time, scalar, uses
from keywright.engines.dynamodb.schema.capabilities import COLLECTION_BYTES
from keywright.engines.findings.context import FindingDraft, RuleContext

_KINDS = "event", "reading", "money"
_YEAR = 365 * 86_400
_SMALL = 0.01
"""Share of the limit below which a collection without end is only a hint."""


def models(context: RuleContext, *, years: float = 20) -> Iterator[FindingDraft]:
    """Entities whose items of one key exceed the limit at the expected size, or grow without end.

    years: time in which items that are written once and kept reach the limit at their declared rate.
    """
    puts = _lone_puts(context)
    for entity in entities(context):
        if not entity.table.local_indexes:
            continue
        size, limit = _collection_bytes(entity), COLLECTION_BYTES.value
        if size is not None and size > limit:
            growth = f"come to {size / 1024**3:,.0f} GB"
        elif _is_endless(entity):
            growth = "grow without end"
        elif (yearly := _yearly_bytes(entity, puts.get(entity.binding.name, []))) >= limit / years:
            growth = f"grow by {yearly / 1024**3:,.1f} GB a year"
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
    counts = [distinct(kind) if kind else None for kind in kinds]
    if expected is None or not all(counts):
        return None
    return float(_item_bytes(entity) * expected / prod(count or 1 for count in counts))


def _item_bytes(entity: Layout) -> float:
    """Bytes of an item and of its entries in local indexes."""
    sizes = [item_bytes(entity), *(entry_bytes(entity, route) for route in entity.routes if route.by.kind == "lsi")]
    return sum(size.low if size.expected is None else size.expected for size in sizes)


def _lone_puts(context: RuleContext) -> dict[str, list[Use]]:
    """Puts of entities whose items are kept, and that no pattern changes or deletes, by the name of the binding."""
    puts: dict[str, list[Use]] = defaultdict(list)
    for use in uses(context):
        if use.entity.binding.entity.ttl is None and use.write is not None:
            puts[use.entity.binding.name].append(use)
    return {name: writes for name, writes in puts.items() if all(use.pattern.kind == "put" for use in writes)}


def _yearly_bytes(entity: Layout, puts: list[Use]) -> float:
    """Bytes that puts add to the items of one key in a year; 0 if that is unknown."""
    rate = sum((use.load.per_second or 0) * use.pattern.batch for use in puts)
    count = values_of(entity, entity.key)
    has_lsi = any(route.by.kind == "lsi" for route in entity.routes)
    return _item_bytes(entity) * rate * _YEAR / count if count and has_lsi else 0


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
