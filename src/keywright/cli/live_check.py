"""Live check of `keywright check --live`: reads the stores, prints progress and the unread parts."""

import time
from collections.abc import Iterable

from keywright import api
from keywright.api.live.observe import LiveCheck, LiveCheckOptions, observe
from keywright.engines.findings.observation import Observation
from keywright.record import Record

from .options import Common
from .output import counted, note, progress
from .store_options import selector_of


class LiveOptions(Record):
    """Options of a live check."""

    is_local: bool
    """Whether to check the servers of `keywright local`."""
    sample: int
    """Approximate number of items to read of each table, collection and server."""


def run(common: Common, live: LiveOptions, project: api.Project, compiled: api.Compiled) -> LiveCheck:
    """Observe the stores of the environment; print unobserved parts on stderr."""
    started = time.monotonic()

    def notify(text: str) -> None:
        if common.verbosity >= 0:
            progress(f"{text} ({time.monotonic() - started:.0f} s)")

    try:
        live_check = observe(
            selector_of(common, live.is_local), project, compiled, LiveCheckOptions(sample=live.sample, notify=notify)
        )
    finally:
        progress("")
    if common.verbosity >= 0:
        note(_summary([live_target.observation for live_target in live_check.targets], time.monotonic() - started))
    for text in (
        *live_check.unseen,
        *(text for live_target in live_check.targets for text in live_target.observation.unseen),
    ):
        note(f"not observed: {text}")
    return live_check


def _summary(observations: Iterable[Observation], seconds: float) -> str:
    observations = list(observations)
    read = sum(items.sample.read for observation in observations for items in observation.items.values())
    read += sum(count for observation in observations for count, _ in observation.unknown_items.values())
    total = sum(len(observation.explained) for observation in observations)
    sampled = f"{counted(read, 'item')} sampled, {counted(total, 'pattern')} explained in {seconds:.1f} s"
    return f"observed {counted(len(observations), 'store')}: {sampled}; nothing was written"
