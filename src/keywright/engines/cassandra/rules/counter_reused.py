"""CAS064: a counter is deleted and incremented again under the same key."""

from collections.abc import Iterator

from keywright.declare.names import names
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.pattern_facts import identity
from keywright.engines.findings.rates import calls


def models(context: RuleContext) -> Iterator[FindingDraft]:
    """Report every delete of single rows of counters that a pattern increments.

    Deletes of whole partitions, and of old rows, are exempt: their keys do not return.
    """
    for binding in context.bindings("cassandra"):
        counters = names(binding.spec.counters)
        increments = [plan.pattern.name for plan, _ in calls(context, binding, "increment")]
        for plan, _ in calls(context, binding, "delete") if counters and increments else ():
            pattern = plan.pattern
            if pattern.because == "expiry" or (pattern.eq and not identity(binding) <= set(pattern.eq)):
                continue
            yield FindingDraft(
                problem=f'it deletes counters that "{increments[0]}" increments: after a delete, the value of a '
                "counter under the same key is undefined",
                help="do not delete single counters: add a period to the key, and begin each period with a new row",
                subject=pattern.name,
                at=pattern.at,
            )
