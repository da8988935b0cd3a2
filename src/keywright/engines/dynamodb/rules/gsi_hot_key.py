"""DDB010: the partition key of a global index has few values, or one value exceeds the throughput of a partition.

A hot partition of an index throttles the writes of its table.
"""

from collections.abc import Iterator

from keywright.engines.dynamodb.findings.hot_keys import HotKey, hot_keys, is_class, used_shares, values_of
from keywright.engines.dynamodb.findings.uses import entities, hash_text, uses
from keywright.engines.findings.context import FindingDraft, RuleContext, TargetInEnvironment
from keywright.engines.findings.pattern_facts import expected
from keywright.ir.text import counted


def models(
    context: RuleContext,
    *,
    min_cardinality: int = 100,
    share: float = 0.1,
    few_items: int = 10_000,
    few_share: float = 0.01,
) -> Iterator[FindingDraft]:
    """Index keys with few values, and for each other index key the hottest one above the limit.

    min_cardinality: number of values below which there are too few partitions to spread traffic. share: part of what
    one partition serves from which the declared traffic of a key without fields is reported. few_items, few_share:
    items of each value, and part of what one partition serves, up to which few values are sufficient.
    """
    few: set[tuple[str, str]] = set()
    used = used_shares(context)
    for entity in entities(context):
        for route in entity.routes:
            if route.by.kind != "gsi":
                continue
            count, traffic = values_of(entity, route), used[entity.binding.name, route.index]
            items = 0 if route.where or route.optional else entity.binding.spec.expected
            if items is None and not is_class(entity, route):
                items = expected(entity.binding) or 0
            is_constant = not any(part.template.placeholders for part in route.hashes)
            if is_constant and (traffic or 0) >= share:
                problem = (
                    f"takes one value, of which the declared traffic takes {traffic:.0%} of what a partition serves"
                )
            elif count is None or count >= min_cardinality:
                continue
            elif traffic is None or traffic >= few_share or items is None or items > few_items * count:
                problem = f"takes {counted(count, 'value')}, each one partition"
            else:
                continue
            few.add((entity.binding.name, route.index))
            yield FindingDraft(
                problem=f'pk="{hash_text(route)}" of index "{route.index}" {problem}',
                help='shard it, as in "STATUS#{status}#{order_id:shard(8)}", and read with fan_out=8',
                subject=entity.binding.name,
                part=route.index,
            )
    worst: dict[tuple[str, str], HotKey] = {}
    for hot_key in (
        hot_key for use in uses(context) for hot_key in hot_keys(use) if not hot_key.is_of_table and hot_key.is_too_hot
    ):
        index_key = hot_key.use.entity.binding.name, hot_key.route.index
        if index_key not in few and (index_key not in worst or worst[index_key].units < hot_key.units):
            worst[index_key] = hot_key
    for (name, index), hot_key in worst.items():
        units = counted(hot_key.units, f"{hot_key.side} unit", spec=",.0f")
        yield FindingDraft(
            problem=f'"{hot_key.use.name}" takes {units} a second of one key '
            f'pk="{hash_text(hot_key.route)}" of index "{index}", and a partition serves {hot_key.most:,}',
            help='spread it by shards, as in "DAY#{at:date}#{id:shard(10)}", and read with fan_out=10',
            subject=name,
            part=index,
        )


def stored(
    target: TargetInEnvironment, *, words: tuple[str, ...] = ("status", "state", "type", "kind", "country")
) -> Iterator[FindingDraft]:
    """Indexes of a program's table with a key name that suggests few values.

    words: names of such keys.
    """
    for index in target.placed.indexes if not target.placed.shape else ():
        keys = [part.attribute for part in index.keys if part.role == "HASH"]
        if len(keys) == 1 and keys[0].lower() in words:
            yield FindingDraft(
                problem=f'the key of index "{index.name}" is called "{keys[0]}": few values, and each is one partition',
                help="spread it by a number of the shard behind it, and ask all shards",
                subject=target.declared.name,
                part=index.name,
                severity="warning",
            )
