"""GEN002: an access pattern declares no call rate or latency target."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.observation import LiveTarget
from keywright.engines.findings.pattern_facts import READS, callers
from keywright.errors import quoted
from keywright.ir.pattern import Traffic
from keywright.ir.text import counted, exact

_ATTRIBUTES = {"rate": "per_second", "peak": "peak_per_second", "hot_key": "hot_key_per_second", "p99_ms": "p99_ms"}
"""Attribute of `Traffic` by the argument of the declaration."""


def models(context: RuleContext, *, required: tuple[str, ...] = ("rate",)) -> Iterator[FindingDraft]:
    """Report every such pattern, except patterns with a declared reason for not being served.

    required: required arguments, any of `rate`, `peak`, `hot_key` and `p99_ms`.
    """
    for pattern in callers(context.design):
        missing = [name for name in required if not _has(pattern.load, name)]
        if missing and pattern.unserved is None:
            purpose = "its latency target" if missing == ["p99_ms"] else "the basis of traffic and cost"
            yield FindingDraft(
                problem=f"it does not declare {quoted(missing)}, {purpose}",
                help="add " + " and ".join(_EXAMPLES.get(name, f"{name}=") for name in missing),
                subject=pattern.name,
                at=pattern.at,
            )


def live(live_target: LiveTarget, *, least: int = 10_000) -> Iterator[FindingDraft]:
    """Report every table or collection whose reads take longer than their slowest target.

    least: number of timed reads that a live server must report.
    """
    for place, figures in live_target.observation.tables.items():
        measured, reads = figures.get("read_p99_ms"), figures.get("reads")
        names = live_target.observation.places.get(place, ())
        patterns = [
            pattern
            for pattern in live_target.context.design.patterns
            if pattern.binding in names and pattern.kind in READS
        ]
        targets = [pattern.load.p99_ms for pattern in patterns if pattern.load.p99_ms is not None]
        if not isinstance(measured, (int, float)) or not isinstance(reads, (int, float)) or reads < least:
            continue
        if targets and len(targets) == len(patterns) and measured > max(targets):
            yield FindingDraft(
                problem=f"the p99 latency of the {counted(reads, 'read', spec=',.0f')} of {place} is "
                f"{measured:,.0f} ms, but the slowest target of its patterns is p99_ms={exact(max(targets))}",
                help="find the slow pattern with the profiler or by tracing, or declare a higher p99_ms=",
                subject=live_target.subject(place),
            )


_EXAMPLES = {"rate": 'rate="100/s"', "peak": 'peak="1k/s"', "hot_key": 'hot_key="10/s"', "p99_ms": "p99_ms=50"}


def _has(traffic: Traffic, name: str) -> bool:
    return name not in _ATTRIBUTES or getattr(traffic, _ATTRIBUTES[name]) is not None
