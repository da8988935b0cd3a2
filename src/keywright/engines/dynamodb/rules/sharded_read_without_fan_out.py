"""DDB008: a read of a sharded key says that it asks fewer partitions than there are shards."""

from collections.abc import Iterator

from keywright.engines.dynamodb.access.calls import Query
from keywright.engines.dynamodb.uses import uses
from keywright.engines.flaws.context import Flaw, Whole
from keywright.engines.flaws.fix import Fix, SetArgument


def models(whole: Whole) -> Iterator[Flaw]:
    """Every such pattern; it is served by all shards, and each of its calls costs that many."""
    for use in uses(whole):
        call = use.call
        if not isinstance(call, Query) or use.route is None or use.pattern.kind != "read":
            continue
        count = 1
        for slot in (slot for one in call.key for slot in one.filled.slots):
            count *= (slot.count or 1) if slot.kind == "shards" else 1
        if count > use.pattern.fan_out:
            where = f'index "{use.route.index}"' if use.route.index else f'table "{use.entity.table.name}"'
            yield Flaw(
                problem=f"it says fan_out={use.pattern.fan_out}, and its key in {where} is spread over {count} shards",
                help=f"say fan_out={count}, so that who calls it knows that each call asks {count} partitions",
                subject=use.name,
                at=use.pattern.at,
                fix=Fix((SetArgument("fan_out", str(count)),), is_safe=True),
            )
