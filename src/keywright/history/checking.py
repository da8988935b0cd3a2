"""Looks at every stored item before an index is built that would silently leave some of them out."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from keywright.engines.change import path_of
from keywright.engines.misfits import Misfit
from keywright.errors import NeedsDecision, UsageError
from keywright.ir.json import shortened

from .backfill import Settings
from .execute import Holder
from .site import Site
from .throttle import Throttle
from .version import Stage, Version

SHOWN = 3
"""Items that a message names."""

_WHICH = "say `object: TABLE/native/indexes/INDEX` in the step, with an index of the version's snapshot"


@dataclass(frozen=True, slots=True)
class Checked:
    """How far a look at all items is."""

    read: int
    """Items so far."""
    unfit: int
    """Those of them that the index would not take."""
    is_over: bool
    """Whether those were all."""


@dataclass(frozen=True, slots=True)
class Checker:
    """Carries out `check_index_values`."""

    settings: Settings = field(default_factory=Settings)
    """How many items it holds at once, and how fast it goes."""
    tell: Callable[[Version, Stage, Checked], None] = lambda version, stage, checked: None
    """Told after each page."""

    def __call__(self, site: Site, version: Version, stage: Stage, holder: Holder) -> None:
        """Read all items; NeedsDecision if the index would leave some of them out.

        It begins anew when it was interrupted: what was written meanwhile may not fit.
        """
        target, index = indexed(stage)
        place = f"{version.number}/{stage.n}"
        description: Any = version.snapshot.stores.get(stage.store, {}).get(target, {"native": {}})
        wanted = description["native"].get("indexes", {}).get(index)
        if wanted is None or site.driver.misfits is None:
            raise UsageError(f'{place}: {stage.store} has no index "{stage.object}" that is looked at', _WHICH)
        table = site.place(target, description).name
        throttle = Throttle(self.settings.clock, self.settings.rate)
        read, unfit, examples, cursor = 0, 0, list[Misfit](), None
        while True:
            holder.check()
            page = site.driver.misfits(table, wanted, cursor, throttle.limit(self.settings.page, 1))
            read, unfit, cursor = read + page.read, unfit + len(page.misfits), page.cursor
            examples += page.misfits[: SHOWN - len(examples)]
            self.tell(version, stage, Checked(read, unfit, cursor is None))
            if cursor is None:
                break
            self.settings.clock.sleep(throttle.spend(page.read))
        if unfit:
            raise _refusal(place, index, unfit, read, examples)


def indexed(stage: Stage) -> tuple[str, str]:
    """(key of the target, name of the index) that a stage is about."""
    target, *_, index = path_of(stage.object)
    return target, index


def _refusal(place: str, index: str, unfit: int, read: int, examples: list[Misfit]) -> NeedsDecision:
    shown = "; ".join(f"{shortened(one.key)}: {one.why}" for one in examples)
    more = f"; and {unfit - len(examples)} more" if unfit > len(examples) else ""
    return NeedsDecision(
        f'{place}: index "{index}" would leave out {unfit} of {read} items, and refuse later writes of them: '
        f"{shown}{more}",
        "put these attributes right or remove them, by hand or by a backfill in a version before, "
        "then run the same command again",
    )
