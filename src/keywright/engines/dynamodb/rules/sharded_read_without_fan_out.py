"""DDB008: the `fan_out` of a read is lower than the number of shards of its key."""

from collections.abc import Iterator

from keywright.engines.dynamodb.access.calls import QueryItems
from keywright.engines.dynamodb.findings.uses import uses
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.fix import Fix, SetArgument
from keywright.ir.text import counted


def models(context: RuleContext) -> Iterator[FindingDraft]:
    """Reads with a lower fan_out; such a read queries all shards, and each call costs that many."""
    for use in uses(context):
        call = use.call
        if not isinstance(call, QueryItems) or use.route is None or use.pattern.kind != "read":
            continue
        shards = 1
        for slot in (slot for filling in call.key for slot in filling.filled.slots):
            shards *= (slot.count or 1) if slot.kind == "shards" else 1
        if shards > use.pattern.fan_out:
            where = f'index "{use.route.index}"' if use.route.index else f'table "{use.entity.table.name}"'
            yield FindingDraft(
                problem=f"it says fan_out={use.pattern.fan_out}, and its key in {where} is spread over "
                f"{counted(shards, 'shard')}",
                help=f"say fan_out={shards}, so that who calls it knows that each call asks "
                f"{counted(shards, 'partition')}",
                subject=use.name,
                at=use.pattern.at,
                fix=Fix((SetArgument("fan_out", str(shards)),), is_safe=True),
            )
