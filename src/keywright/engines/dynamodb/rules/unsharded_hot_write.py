"""DDB007: one key is written more often than one partition serves, and nothing spreads it."""

from collections.abc import Iterator
from math import ceil

from keywright.engines.dynamodb.heat import Heat, heats
from keywright.engines.dynamodb.uses import hash_text, uses
from keywright.engines.flaws.context import Flaw, Whole


def models(whole: Whole, *, shards: int = 10) -> Iterator[Flaw]:
    """The hottest such write of each entity.

    shards: shards that are advised at the least.
    """
    worst: dict[str, Heat] = {}
    for use in uses(whole):
        for heat in heats(use):
            if heat.side == "read" or not heat.is_of_table or not heat.is_too_hot or heat.is_sharded:
                continue
            name = use.entity.binding.name
            if name not in worst or worst[name].units < heat.units:
                worst[name] = heat
    for name, heat in worst.items():
        number, text = max(shards, ceil(heat.units / heat.most)), hash_text(heat.route)
        yield Flaw(
            problem=f'"{heat.use.name}" takes {heat.units:,.0f} write units a second of one key pk="{text}", '
            f"and a partition serves {heat.most:,}",
            help=f'spread it by shards, as in pk="{text}#{{:shard({number})}}", and read with fan_out={number}',
            subject=name,
        )
