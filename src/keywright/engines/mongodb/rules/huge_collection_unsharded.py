"""MDB023: a collection of many terabytes is not sharded.

https://www.mongodb.com/docs/manual/core/sharding-distribute-collection-data/ (2026-11-23)
"""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.expiry import expiring_fields
from keywright.engines.findings.rates import calls, items_per_second
from keywright.engines.mongodb.declare.options import AnyCollection
from keywright.engines.mongodb.schema.capabilities import UNSHARDED_BYTES
from keywright.ir.binding import Binding
from keywright.ir.text import counted, exact

_TB = 10**12
_ONCE = ("event", "reading")
"""Kinds of entities whose documents are written once."""


def models(context: RuleContext, *, max_tb: float = UNSHARDED_BYTES.value / _TB) -> Iterator[FindingDraft]:
    """Every larger collection, except in DocumentDB with instances, which has no shards.

    max_tb: terabytes of documents that a replica set may have in one collection.
    """
    environments = {target.declared.name: target.environment for target in context.of("mongodb")}
    for binding in context.bindings("mongodb"):
        environment, facts, count = (
            environments.get(binding.physical.name),
            context.storage_facts(binding),
            _documents(context, binding),
        )
        shard_key = getattr(binding.spec, "shard_key", None)
        if environment is None or environment.flavour == "documentdb" or facts is None or count is None:
            continue
        if (shard_key is not None and getattr(environment, "sharded", False)) or facts.usual is None:
            continue
        size = count * facts.usual / _TB
        if size >= max_tb:
            writes = items_per_second(context, binding, "put", "update", "increment", "delete")
            load = f" and {counted(writes, 'write', spec=',.0f')} a second" if writes and writes >= 1 else ""
            yield FindingDraft(
                problem=f"its documents take about {size:,.1f} TB without shards, from {exact(max_tb)} TB on they "
                f"should have some: all of it{load} must fit one machine",
                help="set sharded: true for mongodb in the stack file"
                if shard_key
                else "declare shard_key=kw.ShardKey(...) over a field that its reads compare, and set sharded: true "
                "for mongodb in the stack file",
                subject=binding.name,
            )


def _documents(context: RuleContext, binding: Binding[AnyCollection]) -> float | None:
    """Documents that are kept: declared, or those that are inserted until they expire; None if unknown."""
    if binding.spec.expected is not None:
        return binding.spec.expected
    kept = [seconds for seconds in expiring_fields(binding, with_partial=False).values() if seconds]
    inserted = sum(
        (rate or 0) * max(1, part.pattern.batch)
        for part, rate in calls(context, binding, "put")
        if part.pattern.if_absent or binding.spec.kind in _ONCE
    )
    return inserted * min(kept) if kept and inserted else None
