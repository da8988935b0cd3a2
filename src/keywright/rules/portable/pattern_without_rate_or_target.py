"""GEN002: a pattern does not say how often it is called, or how fast it must be."""

from collections.abc import Iterator

from keywright.engines.flaws.asked import READS
from keywright.engines.flaws.context import Flaw, Whole
from keywright.engines.flaws.observation import Seen
from keywright.errors import quoted
from keywright.ir.pattern import Load

_SAID = {"rate": "per_second", "peak": "peak_per_second", "hot_key": "hot_key_per_second", "p99_ms": "p99_ms"}
"""Attribute of a load, by the argument that says it."""


def models(whole: Whole, *, required: tuple[str, ...] = ("rate",)) -> Iterator[Flaw]:
    """Every such pattern; one that nothing serves for a stated reason is asked nothing.

    required: what a pattern has to say: any of `rate`, `peak`, `hot_key` and `p99_ms`.
    """
    for pattern in whole.design.patterns:
        lacking = [name for name in required if not _says(pattern.load, name)]
        if lacking and pattern.unserved is None:
            why = "how fast it must be" if lacking == ["p99_ms"] else "what load and cost are computed from"
            yield Flaw(
                problem=f"it does not say {quoted(lacking)}: {why}",
                help="add " + " and ".join(_EXAMPLES.get(name, f"{name}=") for name in lacking),
                subject=pattern.name,
                at=pattern.at,
            )


def live(seen: Seen, *, least: int = 10_000) -> Iterator[Flaw]:
    """Every table or collection whose reads take longer than the slowest of their targets.

    least: reads that a live server has timed from which on that counts.
    """
    for place, figures in seen.found.tables.items():
        measured, reads = figures.get("read_p99_ms"), figures.get("reads")
        names = seen.found.places.get(place, ())
        asked = [one for one in seen.whole.design.patterns if one.binding in names and one.kind in READS]
        targets = [one.load.p99_ms for one in asked if one.load.p99_ms is not None]
        if not isinstance(measured, (int, float)) or not isinstance(reads, (int, float)) or reads < least:
            continue
        if targets and len(targets) == len(asked) and measured > max(targets):
            yield Flaw(
                problem=f"one in a hundred of the {reads:,.0f} reads of {place} takes {measured:,.0f} ms or more, and "
                f"the slowest target of its patterns is p99_ms={max(targets):g}",
                help="see which of them is slow, by the profiler or by tracing; or say what is well enough",
                subject=seen.subject(place),
            )


_EXAMPLES = {"rate": 'rate="100/s"', "peak": 'peak="1k/s"', "hot_key": 'hot_key="10/s"', "p99_ms": "p99_ms=50"}


def _says(load: Load, name: str) -> bool:
    return name not in _SAID or getattr(load, _SAID[name]) is not None
