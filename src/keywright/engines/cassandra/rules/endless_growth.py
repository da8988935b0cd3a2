"""CAS042: rows are added at a rate that fills disks, and never expire."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.rates import calls
from keywright.ir.text import counted, figure

from ..access.growth import YEAR, creates_rows, typical_row
from ..findings.changes import DAY, words
from ..findings.tables import entities
from ..findings.turnover import added

TIB = 2**40
"""Bytes of a tebibyte."""

_LOGS = frozenset(("log", "logs", "measurement", "sample", "telemetry", "metric", "trace", "ping", "heartbeat"))
"""Last words in names of entities of which nobody reads old rows."""

_OF_LOGS = 0.05
"""Share of the allowed growth from which logs are reported."""


def models(
    context: RuleContext, *, tib_per_year: float = 1, most_days: int = 180, kinds: tuple[str, ...] = ("record", "feed")
) -> Iterator[FindingDraft]:
    """Every such table without a reason to keep its rows, by the declared rate of its puts; logs and measurements by
    their names from a twentieth of the growth on.

    tib_per_year: growth of one copy in tebibytes a year from which disks fill. most_days: days in which the puts pass
    a declared number of rows that then bounds nothing. kinds: kinds of entities that GEN008 does not report.
    """
    for target, binding, layout in entities(context):
        spec, growth = binding.spec, added(context, binding)
        if layout.is_expiring or layout.ttl or spec.keep_forever or spec.kind not in kinds:
            continue
        if growth is None or not creates_rows(layout, spec.kind) or any(calls(context, binding, "delete")):
            continue
        if spec.expected and spec.expected > growth * most_days * DAY:
            continue
        yearly = growth * YEAR * typical_row(layout, binding.entity.name)
        share = _OF_LOGS if words(binding.entity.name)[-1] in _LOGS else 1
        if yearly > tib_per_year * share * TIB:
            copies = [int(factor) for factor in dict(target.placed.placement.replication).values() if factor.isdigit()]
            yield FindingDraft(
                problem=f"{counted(growth, 'row', spec=figure)} a second are added and never expire: "
                f"{yearly * (sum(copies) or 1) / TIB:,.1f} TiB a year with all replicas",
                help='say ttl=timedelta(...), or give the reason by keep_forever="..."',
                subject=binding.name,
            )
