"""DDB040: a frequent pattern counts the items of a large partition by reading them."""

from collections.abc import Iterator

from keywright.engines.dynamodb.access.calls import QueryItems
from keywright.engines.dynamodb.access.cost.call import cost
from keywright.engines.dynamodb.findings.uses import Use, scalar, uses
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.ir.text import counted


def models(
    context: RuleContext, *, items: int = 1_000, per_second: int = 10_000, largest: int = 10_000
) -> Iterator[FindingDraft]:
    """Counts that read many items.

    items: items of one call from which a count is reported. per_second: items of all calls in a second from which it is
    reported. largest: items of the largest partition from which a count is reported that runs each second.
    """
    for use in uses(context):
        rate = use.load.per_second
        if use.pattern.kind != "count" or not isinstance(use.call, QueryItems) or rate is None:
            continue
        call_cost, most = cost(use.planned), _most_items(use)
        examined, units = call_cost.examined.expected, call_cost.units.expected
        if examined is not None and examined >= items and rate * examined >= per_second:
            price = "" if units is None else f", which takes {counted(rate * units, 'read unit', spec=',.0f')}"
            text = f"about {counted(examined, 'item', spec=',.0f')} for one number, {rate * examined:,.0f} a second"
            problem = f"each call reads {text}{price}"
        elif most is not None and most >= largest and rate >= 1:
            often = counted(rate, "time", spec=",.0f")
            problem = f"a call reads up to {counted(most, 'item', spec=',')} for one number, {often} a second"
        else:
            continue
        yield FindingDraft(
            problem=problem,
            help="keep the number in a field of an item, by a kw.Increment in the transaction of each write",
            subject=use.name,
            at=use.pattern.at,
        )


def _most_items(use: Use) -> int | None:
    """Most items with one value of a field by which a pattern counts, as its reference declares."""
    kinds = [scalar(use.entity, path) for path in use.pattern.eq]
    references = [kind.facts.reference for kind in kinds if kind is not None and kind.facts.reference is not None]
    return min((most for reference in references if (most := reference.max_referrers) is not None), default=None)
