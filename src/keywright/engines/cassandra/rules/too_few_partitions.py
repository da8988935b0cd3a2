"""CAS029: the partition key has so few values at a time that a few replicas serve the whole table."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.ir.text import counted

from ..access.growth import YEAR, bucket_seconds, moment, partitions, rows, typical_row
from ..access.layout import Layout
from ..findings.changes import words
from ..findings.tables import entities
from ..findings.turnover import added, at_peak


def models(
    context: RuleContext,
    *,
    few: int = 20,
    enough: int = 100,
    per_second: float = 100,
    max_rows: int = 100_000,
    few_rows: int = 50_000,
    years: int = 3,
) -> Iterator[FindingDraft]:
    """Every table with few partitions that receive rows at the same time, many calls or rows, and no shards.

    few: number of partitions from which calls spread over the nodes. enough: number of partitions from which rows in
    the order of time do, which buckets can cut too; three times as many for others.
    per_second: calls that each of few partitions may serve, at the peak. max_rows: rows that a partition may hold.
    few_rows: rows that each of few partitions may hold. years: time over which a
    partition that never stops growing is estimated.
    """
    for _, binding, layout in entities(context):
        count = partitions(layout)
        if (
            not layout.table.clustering
            or count is None
            or count >= (enough if moment(layout) else 3 * enough)
            or _has_shards(layout)
        ):
            continue
        load = at_peak(context, binding, "get", "read", "count", "put", "update", "increment", "delete")
        row_count = rows(layout, binding, added(context, binding), years * YEAR) or 0
        is_hot, is_bucket = count < few and load > per_second * count, bucket_seconds(layout) is not None
        most = few_rows if count < few and not is_bucket else max_rows
        is_small = count >= few and row_count * typical_row(layout, binding.entity.name) < 10 * 2**20
        if not is_hot and (row_count <= most or (count >= few and is_bucket) or is_small):
            continue
        keys = ", ".join(f'"{part.cell.field}"' for part in layout.table.partition)
        is_time = count == 1 and is_bucket
        values = f"is the time alone, {keys}" if is_time else f"has {counted(count, 'value', spec=',.0f')}"
        effect = (
            f"{counted(load, 'call', spec=',.0f')} a second go to the replicas of "
            f"{counted(count, 'partition', spec=',.0f')}"
            if is_hot
            else f"a partition comes to hold {counted(row_count, 'row', spec=',.0f')}"
        )
        yield FindingDraft(
            problem=f"its partition key {values}: {effect}, however many nodes there are",
            help="add a column of many values to partition=, such as the owner of a row, or a shard, such as "
            'computed={"shard": "{:shard(8)}"}',
            subject=binding.name,
        )


def _has_shards(layout: Layout) -> bool:
    if any("shard" in words(part.cell.field) for part in layout.table.partition):
        return True
    templates = [part.template for part in layout.table.partition if part.template is not None]
    return any(placeholder.shards for template in templates for placeholder in template.placeholders)
