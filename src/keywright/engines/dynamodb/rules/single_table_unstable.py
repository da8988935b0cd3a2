"""DDB018: an entity whose patterns are not settled yet shares a table with others."""

from collections.abc import Iterator

from keywright.engines.dynamodb.keys import item_of
from keywright.engines.flaws.context import Flaw, Whole


def models(whole: Whole) -> Iterator[Flaw]:
    """Every entity that is being moved from another database into a table of several."""
    for binding in whole.bindings("dynamodb"):
        cut_over = item_of(binding).cut_over
        others = [one.name for one in whole.design.bindings_in(binding.physical) if one is not binding]
        if cut_over is not None and others:
            yield Flaw(
                problem=f'it is being moved from {cut_over.source}, and shares table "{binding.physical.name}" with '
                f"{', '.join(others)}: a pattern that turns up late changes keys for all",
                help="give it a table of its own until its patterns are known",
                subject=binding.name,
            )
