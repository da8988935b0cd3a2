"""CAS004: one page is gathered from many partitions."""

from collections.abc import Iterator

from keywright.access.path import AccessPath
from keywright.engines.flaws.context import Flaw, Whole

from ..access.calls import Select


def models(whole: Whole, *, max_buckets: int = 12) -> Iterator[Flaw]:
    """Every read of a range that asks more partitions than one should.

    max_buckets: partitions that a read may ask.
    """
    for plan in whole.plans:
        if not isinstance(plan.path, AccessPath) or not isinstance(plan.path.call, Select):
            continue
        call = plan.path.call
        slots = [slot for term in call.partition for slot in term.filled.slots if slot.kind in ("buckets", "recent")]
        asked = call.fan_out
        if slots and asked is not None and asked > max_buckets:
            said = "fan_out=" if any(slot.kind == "recent" for slot in slots) else "span="
            yield Flaw(
                problem=f"one call asks {asked} partitions, {max_buckets} are allowed",
                help=f'say a smaller {said} and page by bucket, or make "{slots[0].placeholder.path}" a wider bucket '
                "in the partition key",
                subject=plan.pattern.name,
                at=plan.pattern.at,
            )
