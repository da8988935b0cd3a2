"""MDB032: one value of a shard key has most of the documents or calls.

https://www.mongodb.com/docs/manual/core/sharding-choose-a-shard-key/ (2026-11-23) contains no number; the default is
ours.
"""

from collections.abc import Iterator

from keywright.access.query import request
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.pattern_facts import identity
from keywright.engines.mongodb.declare.options import Collection
from keywright.engines.mongodb.findings.sharding import sharded
from keywright.errors import quoted
from keywright.ir.attribute import Scalar
from keywright.ir.binding import Binding
from keywright.ir.entity import resolve
from keywright.ir.text import exact


def models(context: RuleContext, *, max_percent: float = 40) -> Iterator[FindingDraft]:
    """Every shard key with such a value, by the most referrers of its reference, or by `hot_key=` of a pattern.

    max_percent: percent of the documents or calls that one value may have.
    """
    for binding, names, _ in sharded(context):
        if identity(binding) and identity(binding) <= {*names}:
            continue  # each value is that of one document
        share, what = max(((_of_documents(binding, names), "documents"), _of_calls(context, binding, names)))
        if share * 100 > max_percent:
            yield FindingDraft(
                problem=f"one value of shard key {quoted(names)} has up to {min(share, 1):.0%} of the {what}, "
                f"{exact(max_percent)} % are recommended: its chunk cannot be divided and overloads its shard",
                help="add a field to shard_key= that divides the documents of one value, such as their own key",
                subject=binding.name,
            )


def _of_documents(binding: Binding[Collection], names: list[str]) -> float:
    """The largest share of the documents with one value; 0 if unknown."""
    attributes = resolve(binding.entity.attributes, names[0]) if len(names) == 1 else None
    kind = attributes[-1].type if attributes else None
    reference = kind.facts.reference if isinstance(kind, Scalar) else None
    if reference is None or reference.max_referrers is None or not binding.spec.expected:
        return 0
    return reference.max_referrers / binding.spec.expected


def _of_calls(context: RuleContext, binding: Binding[Collection], names: list[str]) -> tuple[float, str]:
    """The largest share of a pattern's calls with one value of the shard key, and its name."""
    shares = [(0.0, "calls")]
    for plan in context.plans_of(binding):
        traffic, pattern = plan.pattern.load, plan.pattern
        rate = traffic.peak_per_second or traffic.per_second
        conditions = request(pattern, tuple(identity(binding))).conditions
        fixed = {condition.field for condition in conditions if condition.kind == "equals"}
        if rate and traffic.hot_key_per_second and (fixed == {*names} or (pattern.kind == "put" and len(names) == 1)):
            shares.append((traffic.hot_key_per_second / rate, f'calls of "{pattern.name}"'))
    return max(shares)
