"""DDB041: frequent updates change a few bytes of a large item, and pay for the whole item."""

from collections.abc import Iterator
from math import ceil

from keywright.engines.dynamodb.access.calls import UpdateItem
from keywright.engines.dynamodb.access.cost.size import attribute_bytes, item_bytes
from keywright.engines.dynamodb.access.cost.units import WRITE_BYTES
from keywright.engines.dynamodb.findings.throughput import usual
from keywright.engines.dynamodb.findings.uses import Use, attribute, uses
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.pattern_facts import changed
from keywright.errors import quoted


def models(
    context: RuleContext, *, part: float = 0.05, big_bytes: int = 10_240, units: float = 100.0
) -> Iterator[FindingDraft]:
    """Updates that waste most of their units.

    part: greatest share of an item's bytes that counts as small. big_bytes: bytes of a
    large item. units: write units a second from which an update is
    reported.
    """
    for use in uses(context):
        rate = use.load.per_second
        if not isinstance(use.call, UpdateItem) or use.pattern.pushes or rate is None:
            continue
        size = item_bytes(use.entity).expected
        small = _changed_bytes(use)
        if size is None or size < big_bytes or small is None or small > part * size:
            continue
        each = ceil(size / WRITE_BYTES) * use.times
        if each * rate * use.pattern.batch >= units:
            yield FindingDraft(
                problem=f"it changes about {small:,.0f} bytes of an item of {size:,.0f}, and pays for the whole: "
                f"{each:,.0f} write units, {each * rate * use.pattern.batch:,.0f} a second",
                help=f'move {quoted(changed(use.pattern))} to an item of its own with the same pk, such as sk="COUNTS"',
                subject=use.name,
                at=use.pattern.at,
            )


def _changed_bytes(use: Use) -> float | None:
    """Bytes of the changed fields; None if one is unknown."""
    total = 0.0
    for path in changed(use.pattern):
        field = attribute(use.entity, path)
        band = attribute_bytes(use.entity, field) if field is not None else None
        if band is None or band.expected is None:
            return None
        total += usual(band)
    return total
