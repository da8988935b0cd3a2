"""RED008: single fields of an object are changed, but the object is stored as one text."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.rates import calls
from keywright.ir.binding import Binding
from keywright.ir.text import counted

from ..declare.options import RedisString, Structure
from ..findings.servers import entities

_DAY = 86_400
"""Seconds in a day."""
_LIKENESS = 0.15
"""Greatest difference of the rates of reads and writes that belong together."""


def models(context: RuleContext, *, fields: int = 3, rewrites: float = 10.0) -> Iterator[FindingDraft]:
    """Updates and increments of a field inside JSON, and texts that are read before each of many puts.

    RED009 reports a number that is the only field. fields: fewest fields of such a text. rewrites: fewest puts in its
    life, or in a day if it does not expire.
    """
    for _, binding, layout in entities(context):
        if layout.kind not in ("string", "cache") or layout.value is not None:
            continue
        for plan, _ in calls(context, binding, "update", "increment"):
            pattern = plan.pattern
            if pattern.unserved is not None or (pattern.kind == "increment" and len(layout.stored) == 1):
                continue
            names = [*pattern.sets, *pattern.unset, *([pattern.field] if pattern.field else [])]
            listed = ", ".join(f'"{name}"' for name in names) or "a part"
            yield FindingDraft(
                problem=f'it changes {listed} alone, and "{binding.name}" is one JSON text, which is written whole',
                help="store it as kw.RedisHash(...), whose fields are written one by one; or put the whole item",
                subject=pattern.name,
                at=pattern.at,
            )
        if isinstance(binding.spec, RedisString) and binding.spec.kind != "cache" and len(layout.stored) >= fields:
            yield from _rewritten(context, binding, binding.spec, rewrites)


def _rewritten(
    context: RuleContext, binding: Binding[Structure], spec: RedisString, rewrites: float
) -> Iterator[FindingDraft]:
    """Texts that callers read as often as they put them again, and many times in the life of each."""
    puts = [
        (plan.pattern.name, rate or 0) for plan, rate in calls(context, binding, "put") if not plan.pattern.if_absent
    ]
    total, count = sum(rate for _, rate in puts), spec.expected
    seconds = spec.ttl.total_seconds() if spec.ttl else _DAY
    if not total or not count or total * seconds < rewrites * count:
        return
    reads = [(plan.pattern.name, rate or 0) for plan, rate in calls(context, binding, "get")]
    reader = next((name for name, rate in reads if abs(rate - total) <= _LIKENESS * total), None)
    if reader:
        writer, _ = max(puts, key=lambda row: row[1])
        times = f"{counted(total * seconds / count, 'time', spec=',.0f')} {'in its life' if spec.ttl else 'a day'}"
        yield FindingDraft(
            problem=f'"{reader}" reads the JSON text as often as "{writer}"{_others(puts)} put it again, '
            f"{counted(total, 'time', spec=',.0f')} a second, and each of them {times}: a change of a field reads and "
            "writes the whole, and of two at one time, one is lost",
            help="store it as kw.RedisHash(...), whose fields kw.Update and kw.Increment change one by one",
            subject=binding.name,
        )


def _others(puts: list[tuple[str, float]]) -> str:
    return f" and {counted(len(puts) - 1, 'other')}" if len(puts) > 1 else ""
