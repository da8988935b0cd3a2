"""CAS061: elements are appended to a list column, which a retry repeats."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.rates import calls
from keywright.ir.attribute import Many
from keywright.ir.text import counted


def models(context: RuleContext) -> Iterator[FindingDraft]:
    """Report every list that a pattern appends to; sets are exempt, because a repeated element changes nothing."""
    for binding in context.bindings("cassandra"):
        names = dict.fromkeys(plan.pattern.pushes for plan, _ in calls(context, binding, "update"))
        for attribute in binding.entity.attributes:
            many = attribute.type
            if attribute.name not in names or not isinstance(many, Many) or many.kind != "list":
                continue
            size = (
                f" of up to {counted(many.max_items, 'element', spec=',')}"
                if many.max_items
                else ", which has no bound"
            )
            as_set = ", or declare the field as a set" if many.max_items else ""
            yield FindingDraft(
                problem=f'an append to the list "{attribute.name}" is not idempotent: a retry after a time-out stores '
                f"an element twice, and each read loads the whole list{size}",
                help=f"store each element as a row of a table with a clustering column{as_set}",
                subject=binding.name,
                field=attribute.name,
            )
