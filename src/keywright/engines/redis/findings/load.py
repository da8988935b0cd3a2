"""Calls per second on an entity or a server at their peak, from the declared patterns."""

from keywright.access.cost import Band
from keywright.engines.findings.context import RuleContext
from keywright.engines.findings.rates import calls
from keywright.ir.binding import Binding
from keywright.ir.pattern import Pattern, PatternKind

from ..access.wire import item_bytes, key_bytes
from .servers import ServerContents

WRITES: tuple[PatternKind, ...] = ("put", "update", "increment", "delete", "take")
"""Kinds of pattern that change data; taking an entry or a call changes its stream, list or window."""

READS: tuple[PatternKind, ...] = ("get", "read", "count", "rank", "rank_around")
"""Kinds of pattern that only read."""


_COMMAND = 40
"""Bytes of a command of three arguments without these: its name, and the length of each word.
Source: https://redis.io/docs/latest/develop/reference/protocol-spec/, 2026-11-23."""


def highest(pattern: Pattern) -> float:
    """The most calls per second of a pattern; 0 if no rate is declared."""
    return pattern.load.peak_per_second or pattern.load.per_second or 0


def peak(context: RuleContext, binding: Binding, *kinds: PatternKind) -> float:
    """The most items that patterns of some kinds read or write per second; 0 if no rate is declared."""
    peaks = {plan.pattern.name: highest(plan.pattern) for plan in context.plans_of(binding)}
    return sum(
        peaks.get(part.pattern.name.partition("[")[0], 0) * max(1, part.pattern.batch)
        for part, _ in calls(context, binding, *kinds)
    )


def server_peak(context: RuleContext, server: ServerContents, *kinds: PatternKind) -> float:
    """The most such calls per second on a server in this environment; 0 if no rate is declared."""
    return sum(peak(context, binding, *kinds) for binding, _ in server.entities) * design_share(server)


def design_share(server: ServerContents) -> float:
    """The share of the declared rates that this environment receives, which is its share of the data."""
    return (server.environment.data_percent or 100) / 100


def written_bytes(context: RuleContext, server: ServerContents) -> float:
    """Bytes that replicas receive per second at the peak: commands with their keys and items."""
    return design_share(server) * sum(
        peak(context, binding, "put") * (_COMMAND + _typical(key_bytes(layout) + item_bytes(layout)))
        + peak(context, binding, "update", "increment", "delete", "take") * (_COMMAND + _typical(key_bytes(layout)))
        for binding, layout in server.entities
    )


def _typical(band: Band) -> float:
    return band.low if band.expected is None else band.expected
