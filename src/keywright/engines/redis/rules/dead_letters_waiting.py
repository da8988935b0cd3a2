"""RED016: the dead letters of a stream contain entries that no consumer could process."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft
from keywright.engines.findings.observation import LiveTarget
from keywright.ir.text import counted

_LISTED = 3
"""Streams that a finding lists."""


def live(live_target: LiveTarget) -> Iterator[FindingDraft]:
    """Entities with dead letters, by the streams that contain these."""
    for binding in live_target.context.bindings("redis"):
        items = live_target.observation.items.get(binding.name)
        if items and items.dead:
            streams = ", ".join(f"{count:,} in {key}" for key, count in list(items.dead.items())[:_LISTED])
            more = f", and more in {counted(len(items.dead) - _LISTED, 'other')}" if len(items.dead) > _LISTED else ""
            yield FindingDraft(
                problem=f"dead letters wait: {streams}{more}",
                help="read them with XRANGE, which shows the group and the id of each; mend what fails, put them "
                "again, and delete them with XDEL",
                subject=binding.name,
            )
