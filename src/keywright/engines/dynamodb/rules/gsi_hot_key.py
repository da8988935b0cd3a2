"""DDB010: the partition key of a global index takes few values, or one more load than a partition serves.

A hot partition of an index throttles the writes of its table.
"""

import re
from collections.abc import Iterator

from keywright.engines.dynamodb.heat import Heat, heats
from keywright.engines.dynamodb.key_values import values_of
from keywright.engines.dynamodb.uses import hash_text, uses
from keywright.engines.flaws.context import Flaw, Whole

_GSI = re.compile(r'gsi "(.+)" pk\Z')


def models(whole: Whole, *, min_cardinality: int = 100) -> Iterator[Flaw]:
    """Every such index key whose values can be counted, and the hottest load of each other.

    min_cardinality: values below which partitions are too few to spread a load.
    """
    few: set[tuple[str, str]] = set()
    for binding in whole.bindings("dynamodb"):
        for argument, template in binding.templates.items():
            index = _GSI.match(argument)
            count = values_of(binding, template) if index else None
            if index and count is not None and count < min_cardinality:
                few.add((binding.name, index[1]))
                yield Flaw(
                    problem=f'pk="{template.text}" of index "{index[1]}" takes {count} values, each one partition',
                    help='shard it, as in "STATUS#{status}#{order_id:shard(8)}", and read with fan_out=8',
                    subject=binding.name,
                    part=index[1],
                )
    worst: dict[tuple[str, str], Heat] = {}
    for heat in (one for use in uses(whole) for one in heats(use) if one.route.index and one.is_too_hot):
        place = heat.use.entity.binding.name, heat.route.index
        if place not in few and (place not in worst or worst[place].units < heat.units):
            worst[place] = heat
    for (name, index_name), heat in worst.items():
        yield Flaw(
            problem=f'"{heat.use.name}" takes {heat.units:,.0f} {heat.side} units a second of one key '
            f'pk="{hash_text(heat.route)}" of index "{index_name}", and a partition serves {heat.most:,}',
            help='spread it by shards, as in "DAY#{at:date}#{id:shard(10)}", and read with fan_out=10',
            subject=name,
            part=index_name,
        )
