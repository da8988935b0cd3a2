"""DDB039: a key has many times the shards that its declared writes need, and each read asks all of them."""

from collections import defaultdict
from collections.abc import Iterator
from math import ceil

from keywright.engines.dynamodb.access.calls import QueryItems
from keywright.engines.dynamodb.access.cost.write import write_arms
from keywright.engines.dynamodb.access.layout import Route
from keywright.engines.dynamodb.findings.hot_keys import HotKey, hot_keys, shards
from keywright.engines.dynamodb.findings.throughput import usual
from keywright.engines.dynamodb.findings.uses import Use, hash_text, uses
from keywright.engines.dynamodb.schema.capabilities import PARTITION_WRITE_UNITS
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.ir.text import counted


def models(
    context: RuleContext, *, times: float = 10.0, least: int = 20, many: int = 100, per_second: float = 10
) -> Iterator[FindingDraft]:
    """Sharded keys whose busiest value is known, or whose writes are few in all.

    times: multiple of the needed shards above which a key is reported. least: shards from which a key is reported.
    many: shards from which it is reported however seldom it is read. per_second: partitions that all calls of a reader
    query in a second, up to which fewer shards cost too little.
    """
    hot: dict[tuple[str, str], list[HotKey]] = defaultdict(list)
    readers: dict[tuple[str, str], list[tuple[Use, Route]]] = defaultdict(list)
    for use in uses(context):
        for hot_key in hot_keys(use):
            if hot_key.side == "write":
                hot[use.entity.binding.name, hot_key.route.index].append(hot_key)
        if isinstance(use.call, QueryItems) and use.route is not None and _asks_every_shard(use.call):
            readers[use.entity.binding.name, use.route.index].append((use, use.route))
    totals = _totals(context)
    for key, queries in readers.items():
        use, route = max(queries, key=lambda query: query[0].per_second or 0)
        count, writes, total = shards(route), hot[key], totals[key]
        if count < many and use.per_second is not None and use.per_second * count <= per_second:
            continue
        if writes:
            needed = max(1, ceil(sum(hot_key.units for hot_key in writes) * count / writes[0].most))
        elif total is not None:
            needed = max(1, ceil(total / PARTITION_WRITE_UNITS.value))
        else:
            continue
        if count >= least and count > times * needed:
            yield FindingDraft(
                problem=f'pk="{hash_text(route)}" has '
                f"{counted(count, 'shard')} and its writes need {needed}: each call of "
                f'"{use.name}" queries {counted(count, "partition")}',
                help=f"take shard({2 * needed}), and the same fan_out=; a change of the number is a migration",
                subject=use.entity.binding.name,
                part=route.index,
            )


def _totals(context: RuleContext) -> dict[tuple[str, str], float | None]:
    """Write units a second of an entity in the table and in each index, all its keys together; None if a rate is
    unknown.
    """
    totals: dict[tuple[str, str], float | None] = defaultdict(float)
    for use in uses(context):
        if use.write is None:
            continue
        for index, band in write_arms(use.entity, use.write).items():
            key = use.entity.binding.name, index
            before, rate = totals[key], use.per_second
            units = usual(band) * use.times * (rate or 0)
            totals[key] = None if rate is None or before is None else before + units
    return totals


def _asks_every_shard(call: QueryItems) -> bool:
    return any(slot.kind == "shards" for filling in call.key for slot in filling.filled.slots)
