"""DDB004: the partition key of a table has few distinct values."""

from collections.abc import Iterator

from keywright.engines.dynamodb.access.layout import Layout
from keywright.engines.dynamodb.findings.hot_keys import values_of
from keywright.engines.dynamodb.findings.uses import entities, hash_text
from keywright.engines.findings.context import FindingDraft, RuleContext, TargetInEnvironment
from keywright.engines.findings.pattern_facts import expected
from keywright.ir.text import counted


def models(
    context: RuleContext, *, min_cardinality: int = 100, collection_items: int = 100_000
) -> Iterator[FindingDraft]:
    """Partition keys with few values that can be counted.

    min_cardinality: number of values below which there are too few partitions to spread traffic. collection_items: most
    items of a partition key without fields, which has one value and so one partition.
    """
    for entity in entities(context):
        count = values_of(entity, entity.key)
        if count is None and _is_one_partition(entity, collection_items):
            items = expected(entity.binding)
            yield FindingDraft(
                problem=f'pk="{hash_text(entity.key)}" takes one value, so that '
                f"{counted(items or 0, 'item is', 'items are', spec=',')} one partition; "
                f"{counted(collection_items, 'is a good bound', 'are a good bound', spec=',')}",
                help="begin with what items differ in, such as their id; find them by the rest through an index",
                subject=entity.binding.name,
            )
        if count is not None and count < min_cardinality:
            yield FindingDraft(
                problem=f'pk="{hash_text(entity.key)}" takes {counted(count, "value")}, and each is one partition',
                help="begin with what items differ in, such as their id; find them by the rest through an index",
                subject=entity.binding.name,
            )


def _is_one_partition(entity: Layout, most: int) -> bool:
    """Whether a partition key without fields has more than `most` items."""
    placeholders = [placeholder for part in entity.key.hashes for placeholder in part.template.placeholders]
    return not placeholders and (expected(entity.binding) or 0) > most


def stored(
    target: TargetInEnvironment, *, words: tuple[str, ...] = ("status", "state", "type", "kind", "country")
) -> Iterator[FindingDraft]:
    """Tables of a program with a key name that suggests few values.

    words: names of such keys.
    """
    key = target.placed.keys[0].attribute
    if not target.placed.shape and key.lower() in words:
        yield FindingDraft(
            problem=(
                f'the partition key of table "{target.placed.name}" is called "{key}": few values, each one partition'
            ),
            help="begin with what items differ in, such as their id; find them by the rest through an index",
            subject=target.declared.name,
            severity="warning",
        )
