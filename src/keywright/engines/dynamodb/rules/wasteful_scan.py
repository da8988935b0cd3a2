"""DDB045: a scan reads a large table often, or in more segments than the table has pages."""

from collections import defaultdict
from collections.abc import Iterator

from keywright.access.selectivity import share_of
from keywright.engines.dynamodb.access.calls import ScanItems
from keywright.engines.dynamodb.access.cost.size import entry_bytes
from keywright.engines.dynamodb.access.cost.units import READ_BYTES
from keywright.engines.dynamodb.access.layout import Layout
from keywright.engines.dynamodb.findings.throughput import Units, monthly_price, usual
from keywright.engines.dynamodb.findings.uses import Use, entities, uses
from keywright.engines.dynamodb.schema.capabilities import PAGE_BYTES
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.pattern_facts import expected
from keywright.ir.text import counted


def models(context: RuleContext, *, units: float = 100.0) -> Iterator[FindingDraft]:
    """Scans of tables whose size is known.

    units: read units a second from which a scan is reported.
    """
    by_table: dict[str, list[Layout]] = defaultdict(list)
    for entity in entities(context):
        by_table[entity.table.name].append(entity)
    for use in uses(context):
        call = use.call
        size = _bytes(by_table[use.entity.table.name], call.query.index) if isinstance(call, ScanItems) else None
        if isinstance(call, ScanItems) and size is not None and (draft := _draft(use, call, size, units)):
            yield draft


def _draft(use: Use, call: ScanItems, size: float, units: float) -> FindingDraft | None:
    where = f'index "{call.query.index}"' if call.query.index else f'table "{use.entity.table.name}"'
    table_units, rate = size / READ_BYTES * (1 if call.query.is_strong else 0.5), use.load.per_second
    each_second = (
        0.0 if rate is None or use.pattern.cache_ttl_seconds else rate * table_units * _share_of_table(use, call)
    )
    pages = max(1, round(size / PAGE_BYTES.value))
    if each_second >= units:
        dollars = monthly_price(Units(each_second, 0), is_provisioned=False)
        problem = (
            f"it scans {where}, whose items take {counted(table_units, 'read unit', spec=',.0f')}: "
            f"{counted(each_second, 'unit', spec=',.0f')} a second, about ${dollars:,.0f} a month on demand"
        )
        help = "serve it by a key or a sparse index; for reports, export the table to S3, and declare unserved="
    elif call.segments > pages:
        problem = f"it has {counted(call.segments, 'segment')}, and {where} has {counted(pages, 'page')} of 1 MB"
        help = f"write segments={pages}: more segments only add requests" if pages > 1 else "remove segments="
    else:
        return None
    return FindingDraft(problem=problem, help=help, subject=use.name, at=use.pattern.at)


def _share_of_table(use: Use, call: ScanItems) -> float:
    """The share of the table that one call reads: all of it, or as much as has the items of a page."""
    count = expected(use.entity.binding)
    if call.query.limit is None or not count:
        return 1.0
    passing = count * (share_of(use.entity.attributes, call.query.filters) or 1.0)
    return min(1.0, call.query.limit / max(1.0, passing))


def _bytes(layouts: list[Layout], index: str) -> float | None:
    """Bytes of the items of a table, or of the entries of an index; None if the number of items of one is unknown."""
    total = 0.0
    for entity in layouts:
        route = next((route for route in entity.routes if route.index == index), None)
        if route is None:
            continue
        count = expected(entity.binding)
        if count is None:
            return None
        share = share_of(entity.attributes, route.where)
        total += count * (1.0 if share is None else share) * usual(entry_bytes(entity, route))
    return total
