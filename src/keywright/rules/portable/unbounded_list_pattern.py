"""GEN021: a read of many has no limit, so that it returns as many as there are."""

from collections.abc import Iterator

from keywright.engines.flaws.context import Flaw, Whole
from keywright.engines.flaws.fix import Fix, SetArgument


def models(whole: Whole, *, page_limit: bool = True) -> Iterator[Flaw]:
    """Every such read.

    page_limit: whether reads have to have a limit.
    """
    for pattern in whole.design.patterns:
        if page_limit and pattern.kind == "read" and pattern.limit is None and pattern.unserved is None:
            yield Flaw(
                problem="it has no limit, and reads all that there are",
                help="add limit=, such as limit=100: a page comes with a cursor for the next one",
                subject=pattern.name,
                at=pattern.at,
                fix=Fix((SetArgument("limit", "100"),)),
            )
