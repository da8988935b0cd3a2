"""GEN009: a pattern is to see what the caller has just written, and may read what was there before."""

from collections.abc import Iterator

from keywright.access.path import AccessPath
from keywright.engines.flaws.context import Flaw, Whole
from keywright.engines.flaws.fix import Fix, SetArgument
from keywright.errors import quoted


def models(whole: Whole) -> Iterator[Flaw]:
    """Every pattern that reads back a write and is served eventually."""
    for plan in whole.plans:
        pattern = plan.pattern
        if pattern.reads_back and isinstance(plan.path, AccessPath) and plan.path.consistency == "eventual":
            yield Flaw(
                problem=f"it reads back {quoted(pattern.reads_back)} eventually, and may not see it yet",
                help='say consistency="session", or "strong" if others have to see it too',
                subject=pattern.name,
                at=pattern.at,
                fix=Fix((SetArgument("consistency", '"session"'),)),
            )
