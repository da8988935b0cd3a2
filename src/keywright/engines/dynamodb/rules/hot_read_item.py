"""DDB020: one item is read so often that it had better come from a cache, or from copies.

https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/DAX.html (2026-11-22): DAX needs its own client, and
passes strong reads on.
"""

from collections.abc import Iterator
from math import ceil

from keywright.engines.dynamodb.access.calls import GetItem
from keywright.engines.dynamodb.heat import heats
from keywright.engines.dynamodb.uses import uses
from keywright.engines.flaws.context import Flaw, Whole


def models(whole: Whole, *, rps: float = 3000.0) -> Iterator[Flaw]:
    """Every such pattern; one with read copies is judged by its units alone (DDB006).

    rps: reads of one item a second from which on they are many.
    """
    for use in uses(whole):
        if not isinstance(use.call, GetItem) or use.entity.shape.copies > 1:
            continue
        for heat in heats(use):
            if heat.calls > rps:
                copies = max(2, ceil(heat.units / heat.most))
                yield Flaw(
                    problem=f"it reads one item {heat.calls:,.0f} times a second, more than {rps:,.0f}",
                    help="put a cache of 1 to 5 seconds before it (a RedisCache, DAX, or cache_ttl=), or "
                    f"read_copies={copies} on {use.entity.binding.name}",
                    subject=use.name,
                    at=use.pattern.at,
                )
