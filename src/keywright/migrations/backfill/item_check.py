"""Reads every stored item before an index is built that would silently omit some of them."""

from collections.abc import Callable
from typing import Any

from keywright.engines.contract.change import path_of
from keywright.engines.contract.counting import Misfit
from keywright.errors import NeedsDecision, UsageError
from keywright.ir.json import shortened
from keywright.ir.text import counted
from keywright.record import Record, field

from ..migration import Migration, Step
from ..run.execute import Holder
from ..run.store import StoreConnection
from .backfill import BackfillSettings
from .throttle import Throttle

SHOWN = 3
"""Number of items that a message names."""

_WHICH = "write `object: TABLE/native/indexes/INDEX` in the step, with an index of the migration's snapshot"


class CheckProgress(Record):
    """Progress of a check of all items."""

    read: int
    """Items read so far."""
    unfit: int
    """Items read that the index would omit."""
    is_over: bool
    """Whether all items have been read."""


class Checker(Record):
    """Executes `check_index_values`."""

    settings: BackfillSettings = field(default_factory=BackfillSettings)
    """Page size and rate."""
    notify: Callable[[Migration, Step, CheckProgress], None] = lambda migration, step, checked: None
    """Receives the progress after each page."""

    def __call__(self, connection: StoreConnection, migration: Migration, step: Step, holder: Holder) -> None:
        """Read all items; NeedsDecision if the index would omit some of them.

        An interrupted check starts from the beginning, because items written meanwhile may not fit.
        """
        target, index = indexed(step)
        place = f"{migration.number}/{step.n}"
        description: Any = migration.snapshot.stores.get(step.store, {}).get(target, {"native": {}})
        index_description = description["native"].get("indexes", {}).get(index)
        if index_description is None or connection.driver.misfits is None:
            raise UsageError(f'{place}: {step.store} has no index "{step.object}" to check', _WHICH)
        table = connection.place(target, description).name
        throttle = Throttle(self.settings.clock, self.settings.rate)
        read, unfit, examples, cursor = 0, 0, list[Misfit](), None
        while True:
            holder.check()
            page = connection.driver.misfits(table, index_description, cursor, throttle.limit(self.settings.page, 1))
            read, unfit, cursor = read + page.read, unfit + len(page.misfits), page.cursor
            examples += page.misfits[: SHOWN - len(examples)]
            self.notify(migration, step, CheckProgress(read, unfit, cursor is None))
            if cursor is None:
                break
            self.settings.clock.sleep(throttle.spend(page.read))
        if unfit:
            raise _unfit_items(place, index, unfit, read, examples)


def indexed(step: Step) -> tuple[str, str]:
    """(key of the target, name of the index) of a step."""
    target, *_, index = path_of(step.object)
    return target, index


def _unfit_items(place: str, index: str, unfit: int, read: int, examples: list[Misfit]) -> NeedsDecision:
    text = "; ".join(f"{shortened(example.key)}: {example.why}" for example in examples)
    more = f"; and {unfit - len(examples)} more" if unfit > len(examples) else ""
    return NeedsDecision(
        f'{place}: index "{index}" would omit {unfit} of {counted(read, "item")}, and reject later writes '
        "of them: "
        f"{text}{more}",
        "correct or remove these attributes, by hand or by a backfill in an earlier migration, "
        "then run the same command again",
    )
