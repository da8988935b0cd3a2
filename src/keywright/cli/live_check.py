"""The live half of `keywright check`: looks at stores, tells how far it is, and what could not be looked at."""

import time
from collections.abc import Iterable

from keywright import api
from keywright.api.observe import Look, Looked, observe
from keywright.engines.flaws.observation import Observation

from .judging import Live
from .migrate.where import where
from .options import Common
from .say import counted, note, progress


def look(common: Common, live: Live, project: api.Project, compiled: api.Compiled) -> Looked:
    """Look at the stores of the environment; what could not be looked at is told on stderr."""
    begun = time.monotonic()

    def tell(text: str) -> None:
        if common.verbosity >= 0:
            progress(f"{text} ({time.monotonic() - begun:.0f} s)")

    try:
        looked = observe(where(common, live.is_local), project, compiled, Look(sample=live.sample, tell=tell))
    finally:
        progress("")
    if common.verbosity >= 0:
        note(_summary([one.found for one in looked.seen], time.monotonic() - begun))
    for text in (*looked.unseen, *(text for one in looked.seen for text in one.found.unseen)):
        note(f"not looked at: {text}")
    return looked


def _summary(found: Iterable[Observation], seconds: float) -> str:
    found = list(found)
    read = sum(items.sample.read for one in found for items in one.items.values())
    read += sum(stray for one in found for stray, _ in one.strays.values())
    asked = sum(len(one.asked) for one in found)
    sampled = f"{counted(read, 'item')} sampled, {counted(asked, 'pattern')} asked in {seconds:.1f} s"
    return f"looked at {counted(len(found), 'store')}: {sampled}; nothing was written"
