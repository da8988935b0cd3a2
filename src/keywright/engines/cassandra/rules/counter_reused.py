"""CAS064: a counter is deleted and incremented again under the same key."""

from collections.abc import Iterator

from keywright.declare.names import names
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.pattern_facts import identity
from keywright.engines.findings.rates import calls
from keywright.ir.pattern import Pattern

from ..access.growth import is_cut, moment, partitions
from ..access.layout import Layout
from ..findings.tables import entities

_MONTH = 30 * 86_400
"""Seconds."""


def models(context: RuleContext) -> Iterator[FindingDraft]:
    """Report every delete of single rows of counters that a pattern increments.

    Deletes of whole partitions, and of old rows, are exempt: their keys do not return. They do if the number of keys is
    declared, without a time among them, and all are deleted within a month.
    """
    for _, binding, layout in entities(context):
        counters = names(binding.spec.counters)
        increments = [plan.pattern.name for plan, _ in calls(context, binding, "increment")]
        for plan, _ in calls(context, binding, "delete") if counters and increments else ():
            pattern = plan.pattern
            if (pattern.because == "expiry" and not _returns(layout, plan.pattern)) or (
                pattern.eq and not identity(binding) <= set(pattern.eq)
            ):
                continue
            yield FindingDraft(
                problem=f'it deletes counters that "{increments[0]}" increments: after a delete, the value of a '
                "counter under the same key is undefined",
                help="do not delete single counters: add a period to the key, and begin each period with a new row",
                subject=pattern.name,
                at=pattern.at,
            )


def _returns(layout: Layout, pattern: Pattern) -> bool:
    """Whether a pattern deletes each of a fixed number of keys again and again."""
    count = None if is_cut(layout) or moment(layout) is not None else partitions(layout)
    rate = (pattern.load.per_second or 0) * max(1, pattern.batch)
    return count is not None and rate * _MONTH > count
