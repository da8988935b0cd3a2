"""DDB010: the partition key of a global index takes few values, or one more load than a partition serves.

A hot partition of an index throttles the writes of its table.
"""

from collections.abc import Iterator

from keywright.engines.dynamodb.heat import Heat, heats
from keywright.engines.dynamodb.key_values import values_of
from keywright.engines.dynamodb.uses import entities, hash_text, uses
from keywright.engines.flaws.context import Flaw, Stored, Whole


def models(whole: Whole, *, min_cardinality: int = 100) -> Iterator[Flaw]:
    """Every such index key whose values can be counted, and the hottest load of each other.

    min_cardinality: values below which partitions are too few to spread a load.
    """
    few: set[tuple[str, str]] = set()
    for entity in entities(whole):
        for route in entity.routes:
            count = values_of(entity, route) if route.by.kind == "gsi" else None
            if count is not None and count < min_cardinality:
                few.add((entity.binding.name, route.index))
                yield Flaw(
                    problem=f'pk="{hash_text(route)}" of index "{route.index}" takes {count} values, '
                    "each one partition",
                    help='shard it, as in "STATUS#{status}#{order_id:shard(8)}", and read with fan_out=8',
                    subject=entity.binding.name,
                    part=route.index,
                )
    worst: dict[tuple[str, str], Heat] = {}
    for heat in (one for use in uses(whole) for one in heats(use) if not one.is_of_table and one.is_too_hot):
        place = heat.use.entity.binding.name, heat.route.index
        if place not in few and (place not in worst or worst[place].units < heat.units):
            worst[place] = heat
    for (name, index), heat in worst.items():
        yield Flaw(
            problem=f'"{heat.use.name}" takes {heat.units:,.0f} {heat.side} units a second of one key '
            f'pk="{hash_text(heat.route)}" of index "{index}", and a partition serves {heat.most:,}',
            help='spread it by shards, as in "DAY#{at:date}#{id:shard(10)}", and read with fan_out=10',
            subject=name,
            part=index,
        )


def stored(one: Stored, *, words: tuple[str, ...] = ("status", "state", "type", "kind", "country")) -> Iterator[Flaw]:
    """Indexes of a program's table whose key is called so that it can hardly have many values.

    words: names of such keys.
    """
    for index in one.placed.indexes if not one.placed.shape else ():
        keys = [part.attribute for part in index.keys if part.role == "HASH"]
        if len(keys) == 1 and keys[0].lower() in words:
            yield Flaw(
                problem=f'the key of index "{index.name}" is called "{keys[0]}": few values, and each is one partition',
                help="spread it by a number of the shard behind it, and ask all shards",
                subject=one.declared.name,
                part=index.name,
                severity="warning",
            )
