"""DDB004: the partition key of a table has few distinct values."""

from collections import defaultdict
from collections.abc import Iterator

from keywright.engines.dynamodb.access.layout import Layout
from keywright.engines.dynamodb.findings.hot_keys import is_class, used_shares, values_of
from keywright.engines.dynamodb.findings.uses import entities, hash_text, uses
from keywright.engines.findings.context import FindingDraft, RuleContext, TargetInEnvironment
from keywright.engines.findings.pattern_facts import expected
from keywright.ir.text import counted

_YEAR = 365 * 86_400
"""Seconds of a year."""


def models(
    context: RuleContext,
    *,
    min_cardinality: int = 100,
    collection_items: int = 100_000,
    share: float = 0.1,
    few_items: int = 10_000,
    few_share: float = 0.01,
) -> Iterator[FindingDraft]:
    """Partition keys with few values that can be counted, and with many items of each value.

    min_cardinality: number of values below which there are too few partitions to spread traffic. collection_items: most
    items of a partition key without fields, which has one value and so one partition. share: part of what one partition
    serves from which the declared traffic of such a key is reported. few_items, few_share: items of each value, and
    part of what one partition serves, up to which few values are sufficient.
    """
    used, yearly = used_shares(context), _yearly(context)
    for entity in entities(context):
        name, count = entity.binding.name, values_of(entity, entity.key)
        traffic = used[name, ""]
        grown = max(expected(entity.binding) or 0, yearly[name])
        if count is None and grown > collection_items and _is_collection(entity):
            gathered = f"{counted(grown, 'item is', 'items are', spec=',.0f')} one partition"
            after = " after a year" if grown == yearly[name] else ""
            yield FindingDraft(
                problem=f'pk="{hash_text(entity.key)}" takes one value, so that '
                f"{gathered}{after}; "
                f"{counted(collection_items, 'is recommended', 'are recommended', spec=',')}",
                help="begin with what items differ in, such as their id; find them by the rest through an index",
                subject=name,
            )
        elif count is None and (traffic or 0) >= share and _is_collection(entity):
            yield FindingDraft(
                problem=f'pk="{hash_text(entity.key)}" takes one value, so that all items are one partition, of which '
                f"the declared traffic takes {used[name, '']:.0%}: the entity cannot grow beyond it",
                help="begin with what items differ in, such as their id; list them by an index that is sharded",
                subject=name,
            )
        if count is not None and count < min_cardinality and _has_sort_fields(entity):
            declared = entity.binding.spec.expected or 0
            is_idle = traffic is not None and traffic < few_share and max(declared, yearly[name]) <= few_items * count
            if is_idle and (declared or not is_class(entity, entity.key)):
                continue
            asks = f": does each get fewer than {counted(few_items, 'item', spec=',')}?" if is_idle else ""
            yield FindingDraft(
                problem=f'pk="{hash_text(entity.key)}" takes {counted(count, "value")}, and each is one partition'
                + asks,
                help="begin with what items differ in, such as their id; find them by the rest through an index"
                f"{'; if items are few, declare expected=' if asks else ''}",
                subject=name,
                severity="question" if asks else None,
            )


def _yearly(context: RuleContext) -> dict[str, float]:
    """Items that a year adds, by entity, of those that nothing removes."""
    added: dict[str, float] = defaultdict(float)
    removed: set[str] = set()
    for use in uses(context):
        name = use.entity.binding.name
        if use.pattern.kind == "put" and use.pattern.if_absent:
            added[name] += (use.load.per_second or 0) * use.pattern.batch * _YEAR
        if use.pattern.kind == "delete" or use.entity.binding.entity.ttl is not None:
            removed.add(name)
    return defaultdict(float, {name: items for name, items in added.items() if name not in removed})


def _is_collection(entity: Layout) -> bool:
    """Whether the partition key has no fields, and the sort key has some."""
    return bool(entity.key_fields) and not any(part.template.placeholders for part in entity.key.hashes)


def _has_sort_fields(entity: Layout) -> bool:
    """Whether a partition contains several items: without fields in the sort key, it contains one."""
    return any(part.template.placeholders for part in entity.key.sorts)


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
