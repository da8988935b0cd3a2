"""RED008: fields of an object are changed one by one, and it is kept as one text."""

from collections.abc import Iterator

from keywright.engines.flaws.context import Flaw, Whole
from keywright.engines.flaws.rates import calls

from ..kept import entities


def models(whole: Whole) -> Iterator[Flaw]:
    """Every update and increment of a field inside JSON; a number that is all there is belongs to RED009."""
    for _, binding, known in entities(whole):
        if known.kind not in ("string", "cache") or known.value is not None:
            continue
        for plan, _ in calls(whole, binding, "update", "increment"):
            pattern = plan.pattern
            if pattern.unserved is not None or (pattern.kind == "increment" and len(known.stored) == 1):
                continue
            names = [*pattern.sets, *pattern.unset, *([pattern.field] if pattern.field else [])]
            listed = ", ".join(f'"{name}"' for name in names) or "a part"
            yield Flaw(
                problem=f'it changes {listed} alone, and "{binding.name}" is one JSON text, which is written whole',
                help="store it as kw.RedisHash(...), whose fields are written one by one; or put the whole item",
                subject=pattern.name,
                at=pattern.at,
            )
