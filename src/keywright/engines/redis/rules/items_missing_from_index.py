"""RED068: an index of Search rejected items, which are in none of its results."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft
from keywright.engines.findings.observation import LiveTarget
from keywright.ir.text import counted


def live(live_target: LiveTarget) -> Iterator[FindingDraft]:
    """Indexes whose server counts failures."""
    for index in live_target.target.placed.indexes:
        number = live_target.observation.figure(f"misindexed:{index.built}") or 0
        if number > 0:
            yield FindingDraft(
                problem=f'index "{index.name}" rejected {counted(number, "write", spec=",.0f")}: an item with '
                "a value of a wrong type in an indexed field is in no result",
                help=f"FT.INFO {index.built} shows the last key and field; correct these items, and what writes them",
                subject=live_target.name,
            )
