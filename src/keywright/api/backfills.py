"""Backfills of a version: every stored item of an entity through its transform, then once more to see that none is
left.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from keywright.engines.change import path_of
from keywright.engines.interface import StatementFailed
from keywright.engines.pages import Work
from keywright.errors import NeedsDecision, Unavailable, UsageError
from keywright.history import backfill
from keywright.history.backfill import Progress, Report, Settings
from keywright.history.execute import Holder
from keywright.history.records import stage_key
from keywright.history.segments import Counts
from keywright.history.site import Site
from keywright.history.transforming import Code, code
from keywright.history.version import Stage, Version
from keywright.ir.json import Json
from keywright.ir.transform import parse

ROUNDS = 3
"""How often a pass is done anew where other writers have left stale items meanwhile."""


@dataclass(frozen=True, slots=True)
class Worker:
    """Does the backfills of a project's versions."""

    folder: Path
    """Where the versions are, for their Python files."""
    settings: Settings = field(default_factory=Settings)
    """How a pass is done."""
    tell: Callable[[Version, Stage, Progress], None] = lambda version, stage, progress: None
    """Told how far it is."""

    def __call__(self, site: Site, version: Version, stage: Stage, holder: Holder) -> None:
        """Send all items through, until a further pass finds none that is stale."""
        pages, work, python = self.opened(site, version, stage)
        key, settings = stage_key(version, stage), replace(self.settings, is_alone=True)
        place = f"{version.number}/{stage.n}"
        settings = replace(settings, restart=settings.restart or self._is_unused(site, key))
        for turn in range(ROUNDS):
            settings = replace(settings, restart=settings.restart or turn > 0)
            with _reached(site), _placed(key, place):
                done = backfill.run(
                    site.ledger, key, pages, work, code=python, settings=settings,
                    tell=lambda one: self._progress(version, stage, holder, one),
                )  # fmt: skip
            _judged(place, done)
            with _reached(site), _placed(key, place):
                seen = backfill.verify(site.ledger, key, pages, work, code=python, settings=self.settings)
            if not seen.counts.contended:
                return
        raise NeedsDecision(
            f"{place}: {seen.counts.contended} items are not as the new writers leave them, after {ROUNDS} passes",
            "old writers still run: deploy the new ones everywhere, then run the same command again",
        )

    def _is_unused(self, site: Site, key: str) -> bool:
        """Whether a pass was begun that has written nothing, so that it may as well begin with another transform."""
        with _reached(site):
            found = backfill.status(site.ledger, key)
        return found is not None and found[2].read == found[2].rejected

    def join(self, site: Site, version: Version, stage: Stage) -> None:
        """Work on a pass that another process leads."""
        pages, work, python = self.opened(site, version, stage)
        with _reached(site):
            backfill.run(
                site.ledger, stage_key(version, stage), pages, work, code=python, settings=self.settings,
                tell=lambda one: self.tell(version, stage, one),
            )  # fmt: skip

    def opened(self, site: Site, version: Version, stage: Stage) -> tuple[Any, Work, Code | None]:
        """The pages, the work and the Python of a stage."""
        target, _, entity = path_of(stage.object)
        placed = site.place(target, version.snapshot.stores[stage.store][target])
        found, python = self._what(version, stage)
        work = replace(site.engine.work(placed, entity), **found)
        with _reached(site):
            return site.driver.pages(work), work, python

    def _what(self, version: Version, stage: Stage) -> tuple[dict[str, Any], Code | None]:
        """What is done, as words of `Work`."""
        told: Any = stage.more
        if "transform" in told:
            transform = parse(told["transform"])
            known = {"transform": transform, "reads": transform.reads, "writes": transform.writes}
            return {**known, "version": told.get("version")}, None
        file = self.folder / version.folder / told["module"]
        if not file.is_file():
            raise UsageError(f'"{file}" is missing', "restore it from git")
        python = code(file.read_text(encoding="utf-8"), str(file))
        return {"reads": python.reads, "writes": python.writes, "version": told.get("version")}, python

    def _progress(self, version: Version, stage: Stage, holder: Holder, one: Progress) -> None:
        holder.check()
        self.tell(version, stage, one)


def _judged(place: str, report: Report) -> None:
    if not report.is_blocked:
        return
    if report.ended == "aborted":
        raise NeedsDecision(f"{place}: the backfill was aborted", f"`keywright migrate backfill {place} --resume`")
    why = f": {report.problems[0]}" if report.problems else ""
    raise NeedsDecision(
        f"{place}: {report.quarantined} items could not be transformed{why}",
        f"`keywright migrate backfill {place}` shows them; put them right, "
        f"then `keywright migrate backfill {place} --retry-quarantine`",
    )


@contextmanager
def _placed(key: str, place: str) -> Iterator[None]:
    """Within the block, messages call the step as people do."""
    try:
        yield
    except NeedsDecision as unclear:
        raise NeedsDecision(
            unclear.problem.replace(key, place),
            f"{unclear.help}: `keywright migrate backfill {place} --restart` does the former",
        ) from None


@contextmanager
def _reached(site: Site) -> Iterator[None]:
    """Within the block, a server that refuses or is lost is an error of the command."""
    try:
        yield
    except StatementFailed as failure:
        help = "run the same command again: it goes on from the last page"
        raise Unavailable(f"{site.store}: {failure}", help) from failure


@dataclass(frozen=True, slots=True)
class Standing:
    """How far a backfill is."""

    place: str
    """Its step, such as `0008/20`."""
    counts: Counts
    """What became of items so far."""
    segments: int
    """Segments that there are."""
    segments_done: int
    """Segments that are finished."""
    quarantine: tuple[tuple[Json, str], ...]
    """(key, why) of the items that could not be transformed."""


def standing(site: Site, version: Version, stage: Stage) -> Standing | None:
    """How far a backfill is, by what its store remembers; None if it has not begun."""
    key, place = stage_key(version, stage), f"{version.number}/{stage.n}"
    with _reached(site):
        found = backfill.status(site.ledger, key)
        if found is None:
            return None
        plan, segments, counts, _ = found
        rows: Any = site.ledger.rows(f"{key}/bad/")
    done = sum(row["state"] == "DONE" for row in segments.values())
    open_ = [row for row in rows.values() if row["state"] == "open" and row["run"] == plan.run]
    poison = tuple((row["key"], str(row["error"])) for row in open_)
    return Standing(place, counts, len(segments), done, poison)
