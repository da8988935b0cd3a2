"""DDB040: a frequent pattern counts the items of a large partition by reading them."""

from collections.abc import Iterator

from keywright.engines.dynamodb.access.calls import QueryItems
from keywright.engines.dynamodb.access.cost.call import cost
from keywright.engines.dynamodb.findings.uses import uses
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.ir.text import counted


def models(context: RuleContext, *, items: int = 1_000, per_second: int = 10_000) -> Iterator[FindingDraft]:
    """Counts that read many items.

    items: items of one call from which a count is reported. per_second: items of all calls in a second from which it is
    reported.
    """
    for use in uses(context):
        rate = use.load.per_second
        if use.pattern.kind != "count" or not isinstance(use.call, QueryItems) or rate is None:
            continue
        call_cost = cost(use.planned)
        examined, units = call_cost.examined.expected, call_cost.units.expected
        if examined is None or examined < items or rate * examined < per_second:
            continue
        price = "" if units is None else f", which takes {counted(rate * units, 'read unit', spec=',.0f')}"
        yield FindingDraft(
            problem=f"each call reads about "
            f"{counted(examined, 'item', spec=',.0f')} for one number, {rate * examined:,.0f} a second"
            f"{price}",
            help="keep the number in a field of an item, by a kw.Increment in the transaction of each write",
            subject=use.name,
            at=use.pattern.at,
        )
