"""Backfills while they run: watched, told to wait or to hurry, joined, mended."""

from dataclasses import dataclass, replace

from keywright.errors import UsageError
from keywright.history.backfill import control, retry_quarantine
from keywright.history.records import stage_key
from keywright.project.migrations import read_folder

from .backfills import Standing, Worker, standing
from .live import answering
from .locked import Order, Watcher, executing
from .position import staged
from .sites import Where, opened


@dataclass(frozen=True, slots=True, kw_only=True)
class Steering:
    """What all workers of a backfill are told, or what is to be done with it."""

    join: bool = False
    """Work on it in this process too."""
    pause: bool = False
    """Let all wait."""
    resume: bool = False
    """Let all go on."""
    abort: bool = False
    """Let all stop."""
    rate: float | None = None
    """Items a second for each process; 0 for as fast as it goes."""
    retry_quarantine: bool = False
    """Try again what could not be transformed."""
    restart: bool = False
    """Begin anew."""


def steer(where: Where, place: str, what: Steering, order: Order, watcher: Watcher) -> Standing | None:
    """Tell a backfill something, and return how far it is."""
    folder = read_folder(where.settings)
    version, stage = staged(folder, place)
    if stage.op != "backfill":
        raise UsageError(f"{place} is no backfill but {stage.op}", "`keywright migrate plan` shows the steps")
    if what.restart:
        again = replace(order, backfill=replace(order.backfill, restart=True))
        with executing(where, folder, again, watcher) as execution:
            holder = execution.holders[stage.store]
            execution.workers["backfill"](execution.sites[stage.store], version, stage, holder)
            return standing(execution.sites[stage.store], version, stage)
    with opened(where, [stage.store]) as sites:
        site, worker = sites[stage.store], Worker(folder.path, order.backfill, watcher.backfill)
        key = stage_key(version, stage)
        told = "pause" if what.pause else "abort" if what.abort else "run" if what.resume else None
        with answering(site.store):
            if told or what.rate is not None:
                control(site.ledger, key, state=told, rate=what.rate)
            if what.retry_quarantine:
                pages, work, python = worker.opened(site, version, stage)
                retry_quarantine(site.ledger, key, pages, work, code=python, settings=order.backfill)
            if what.join:
                worker.join(site, version, stage)
        return standing(site, version, stage)
