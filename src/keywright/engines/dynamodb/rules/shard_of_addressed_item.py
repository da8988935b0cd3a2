"""DDB038: an item that is read alone has a shard in its key that the reader cannot compute."""

from collections.abc import Iterator

from keywright.engines.dynamodb.access.calls import BatchGetItem, GetItem, QueryItems
from keywright.engines.dynamodb.findings.hot_keys import shards
from keywright.engines.dynamodb.findings.uses import Use, hash_text, uses
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.ir.text import counted


def models(context: RuleContext) -> Iterator[FindingDraft]:
    """Reads of one item that ask every shard; the shards of a counter, which are added up, are right."""
    counters = {use.entity.binding.name for use in uses(context) if use.pattern.kind == "increment"}
    for use in uses(context):
        if use.route is None or not _is_of_one_item(use) or use.entity.binding.name in counters:
            continue
        if _asks_every_shard(use):
            path = use.entity.key_fields[-1] if use.entity.key_fields else "id"
            yield FindingDraft(
                problem=f'pk="{hash_text(use.route)}" contains a shard that its caller does not know: one item takes '
                f"queries of {counted(shards(use.route), 'shard')}",
                help=f"compute the shard from a field that callers know, as in {{{path}:shard({shards(use.route)})}}",
                subject=use.name,
                at=use.pattern.at,
            )


def _is_of_one_item(use: Use) -> bool:
    """Whether a pattern reads an item by its fields: a get, and a read by all fields of the key or of a single item."""
    pattern = use.pattern
    if pattern.kind != "read" or pattern.range or pattern.order:
        return pattern.kind == "get"
    return pattern.limit == 1 or (bool(use.entity.key_fields) and {*use.entity.key_fields} <= {*pattern.eq})


def _asks_every_shard(use: Use) -> bool:
    """Whether no field of the caller decides the shard."""
    call = use.call
    assert isinstance(call, (GetItem, BatchGetItem, QueryItems))
    filled = call.key if isinstance(call, QueryItems) else call.place.key
    return any(slot.kind == "shards" for filling in filled for slot in filling.filled.slots)
