"""DDB006: the busiest key of a table is asked more than one partition serves."""

from collections.abc import Iterator
from math import ceil

from keywright.engines.dynamodb.access.calls import GetItem
from keywright.engines.dynamodb.heat import Heat, heats
from keywright.engines.dynamodb.uses import hash_text, uses
from keywright.engines.flaws.context import Flaw, Whole


def models(whole: Whole) -> Iterator[Flaw]:
    """The hottest read and the hottest write of each entity; writes of a key without shards are DDB007."""
    worst: dict[tuple[str, str], Heat] = {}
    for use in uses(whole):
        for heat in heats(use):
            if not heat.is_of_table or not heat.is_too_hot or (heat.side == "write" and not heat.is_sharded):
                continue
            place = use.entity.binding.name, heat.side
            if place not in worst or worst[place].units < heat.units:
                worst[place] = heat
    for (name, side), heat in worst.items():
        yield Flaw(
            problem=f'"{heat.use.name}" takes {heat.units:,.0f} {side} units a second of one key '
            f'pk="{hash_text(heat.route)}", and a partition serves {heat.most:,}',
            help=_help(heat),
            subject=name,
        )


def _help(heat: Heat) -> str:
    """What to do, with a number of copies or shards that is enough."""
    needed = ceil(heat.units / heat.most)
    if heat.side == "read":
        copies = needed * heat.use.entity.shape.copies
        spread = f"; or keep copies of each item, by read_copies={copies}" if isinstance(heat.use.call, GetItem) else ""
        return f"let callers keep the answer, by cache_ttl=, or put a cache before it{spread}"
    return f"spread it over {needed} times as many shards, and read with as large a fan_out="
