"""CAS004: a page is read from many partitions."""

from collections.abc import Iterator

from keywright.access.path import AccessPath
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.ir.text import counted

from ..access.calls import Select


def models(context: RuleContext, *, max_buckets: int = 12) -> Iterator[FindingDraft]:
    """Every read of a range that reads too many partitions.

    max_buckets: most partitions of a read.
    """
    for plan in context.plans:
        if not isinstance(plan.path, AccessPath) or not isinstance(plan.path.call, Select):
            continue
        call = plan.path.call
        slots = [slot for term in call.partition for slot in term.filled.slots if slot.kind in ("buckets", "recent")]
        fan_out = call.fan_out
        if slots and fan_out is not None and fan_out > max_buckets:
            option = "fan_out=" if any(slot.kind == "recent" for slot in slots) else "span="
            yield FindingDraft(
                problem=f"one call asks {counted(fan_out, 'partition')}, "
                f"{counted(max_buckets, 'is allowed', 'are allowed')}",
                help=f'say a smaller {option} and page by bucket, or make "{slots[0].placeholder.path}" a wider bucket '
                "in the partition key",
                subject=plan.pattern.name,
                at=plan.pattern.at,
            )
