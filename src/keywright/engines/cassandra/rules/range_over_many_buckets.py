"""CAS004: a page is read from many partitions."""

from collections.abc import Iterator
from math import ceil, prod

from keywright.access.path import AccessPath
from keywright.access.search import Planned
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.ir.text import counted

from ..access.calls import Select
from ..access.growth import named_seconds
from ..access.layout import layout
from ..schema.target import KeyspaceTarget

_SEVERAL = ("buckets", "recent", "shards", "constants")
"""Sources of several values of a key, of which each is a partition."""


def models(
    context: RuleContext, *, max_buckets: int = 12, max_keys: int = 25, per_second: float = 10
) -> Iterator[FindingDraft]:
    """Every read of a range of too many buckets, and every read of too many keys or shards.

    max_buckets: most buckets of time of a read of a range. max_keys: most partitions of a read, with all shards of each
    bucket. per_second: partitions that all calls of a pattern may read in a second, however many a call reads.
    """
    for plan in context.plans:
        if not isinstance(plan.path, AccessPath) or not isinstance(plan.path.call, Select):
            continue
        call, pattern = plan.path.call, plan.pattern
        slots = [slot for term in call.partition for slot in term.filled.slots if slot.kind in _SEVERAL]
        buckets = [slot for slot in slots if slot.kind in ("buckets", "recent")]
        count, bucket_count = call.fan_out if slots else _given(plan, call), prod(slot.count or 1 for slot in buckets)
        rate = pattern.load.peak_per_second or pattern.load.per_second
        if count is None or (count <= max_keys and bucket_count <= max_buckets):
            continue
        if rate is not None and count * rate <= per_second:
            continue
        if bucket_count > max_buckets or (buckets and not any(slot.kind == "shards" for slot in slots)):
            option = "fan_out=" if any(slot.kind == "recent" for slot in buckets) else "span="
            wider = f'make "{buckets[0].placeholder.path}" a wider bucket in the partition key'
            remedy = f"say a smaller {option} and page by bucket, or {wider}"
        elif slots:
            remedy = "use fewer shards in the partition key; if a partition is too wide then, shorter buckets of time"
        else:
            remedy = "read fewer keys in a call, or keep the rows that are read together in one partition of a CqlTable"
        most = max_buckets if bucket_count > max_buckets else max_keys
        yield FindingDraft(
            problem=f"one call asks {counted(count, 'partition', spec=',')}, "
            f"{counted(most, 'is allowed', 'are allowed')}",
            help=remedy,
            subject=pattern.name,
            at=pattern.at,
        )


def _given(plan: Planned[KeyspaceTarget], call: Select) -> int | None:
    """Partitions of a read whose keys the caller lists; None if nothing bounds the list.

    The buckets of the usual span, the declared fan_out, or a page of a table in which a partition is a row.
    """
    entity_layout, pattern = layout(plan.target, plan.binding), plan.pattern
    listed = {term.cell.field for term in call.partition} & {*pattern.one_of}
    if entity_layout is None or not listed:
        return None
    parts = [part for part in entity_layout.table.partition if part.cell.field in listed]
    seconds = named_seconds(entity_layout, parts[0]) if parts else None
    if pattern.span_seconds and seconds:
        return ceil(pattern.span_seconds / seconds)
    return pattern.fan_out if pattern.is_fan_out_given else pattern.limit if call.is_row else None
