"""DDB019: one item that all callers need is read on each call."""

from collections.abc import Iterator

from keywright.engines.dynamodb.access.calls import GetItem
from keywright.engines.dynamodb.uses import uses
from keywright.engines.flaws.context import Flaw, Whole
from keywright.engines.flaws.fix import Fix, SetArgument


def models(whole: Whole, *, rps: float = 100.0) -> Iterator[Flaw]:
    """Every such read of an entity whose key has no fields.

    rps: reads a second from which on it had better be kept by callers.
    """
    for use in uses(whole):
        rate = use.per_second
        if not isinstance(use.call, GetItem) or use.entity.key_fields or use.pattern.cache_ttl_seconds or rate is None:
            continue
        if rate > rps and use.entity.shape.copies == 1 and use.pattern.consistency == "eventual":
            yield Flaw(
                problem=f"it reads the same item {rate:,.0f} times a second, and no caller keeps the answer",
                help="say how long a caller may keep it, such as cache_ttl=timedelta(minutes=1)",
                subject=use.name,
                at=use.pattern.at,
                fix=Fix((SetArgument("cache_ttl", "timedelta(minutes=1)"),)),
            )
