"""MDB030: a shard key has so few values that its chunks cannot be divided.

https://www.mongodb.com/docs/manual/core/sharding-choose-a-shard-key/ (2026-11-23) contains no number; the default is
ours.
"""

from collections.abc import Iterator
from math import prod

from keywright.access.selectivity import most_values_of
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.mongodb.findings.sharding import sharded
from keywright.engines.mongodb.schema.capabilities import CHUNK_BYTES
from keywright.errors import quoted
from keywright.ir.text import counted

_GB = 10**9


def models(context: RuleContext, *, min_values: int = 1_000) -> Iterator[FindingDraft]:
    """Every shard key with fewer values, unless the documents of each value certainly fit one chunk.

    min_values: values that a shard key should have.
    """
    for binding, names, _ in sharded(context):
        counts = [most_values_of(binding.entity.attributes, name) for name in names]
        exact_counts = [count for count in counts if count is not None]
        values = prod(exact_counts) if len(exact_counts) == len(counts) else None
        if values is None or values >= min_values:
            continue
        facts, count = context.storage_facts(binding), binding.spec.expected
        size = count * facts.usual / values if facts and facts.usual and count is not None else None
        if size is None or size > CHUNK_BYTES.value:
            share = f" of about {size / _GB:,.1f} GB" if size else ""
            yield FindingDraft(
                problem=f"shard key {quoted(names)} has {counted(values, 'value', spec=',.0f')}, each with one chunk"
                f"{share} that cannot be divided: no more shards than values are of use",
                help="add a field with many values to shard_key=, such as the key of the document; "
                f"{counted(min_values, 'value is', 'values are', spec=',')} recommended",
                subject=binding.name,
            )
