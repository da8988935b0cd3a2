"""Judges versions by their folders: offline, without models, engines and drivers."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from keywright.engines.hazards.version import Hints
from keywright.errors import Place
from keywright.history.snapshot import EMPTY, Snapshot
from keywright.history.sums import FILE
from keywright.history.version import FOLDER, Version
from keywright.project.git import names_at
from keywright.project.migrations import MIGRATION, Edited, read_folder
from keywright.project.settings import Settings
from keywright.rules.chain import behind, broken
from keywright.rules.judge import Known, blocking, judge
from keywright.rules.places import lines_of
from keywright.rules.rule import Report

__all__ = ["Linted", "blocking", "judged", "lint"]


@dataclass(frozen=True, slots=True)
class Linted:
    """What was judged, and what came of it."""

    versions: tuple[str, ...]
    """Folders of the versions that were judged, in order."""
    report: Report
    """The findings; places are absolute."""


def judged(
    version: Version,
    before: Snapshot,
    today: date,
    *,
    hints: Hints | None = None,
    owners: Mapping[tuple[str, str], str] | None = None,
) -> Report:
    """What is to be said of a version before it is written; `blocking` tells whether it may be.

    hints: former names that the models say and no version has spent. owners: teams by store and object.
    """
    return judge(before, version, today, Known(hints=hints, owners=owners or {}))


def lint(settings: Settings, today: date, *, base: str | None = None, latest: int | None = None) -> Linted:
    """Judge the versions of a project.

    base: a commit, such as `origin/main`: only versions that it lacks are judged, and they must stand behind its own.
    latest: only so many of the last ones.
    """
    path = settings.root / settings.migrations
    merged = names_at(settings.root, base, settings.migrations) if base else ()
    merged = tuple(name for name in merged if FOLDER.match(name))
    try:
        folder = read_folder(settings)
    except Edited as error:
        file = path / error.folder / MIGRATION if (path / error.folder / MIGRATION).is_file() else path / FILE
        found = broken(error.code, error.problem, error.help, Place(str(file), 1), error.folder)
        return Linted((), Report((found,)))
    names = [one.folder for one in folder.versions]
    report = Report(tuple(behind(names, merged, Place(str(path / FILE), 1)))) if base else Report()
    chosen = [one for one in folder.versions if one.folder not in merged]
    chosen = chosen[-latest:] if latest else chosen
    before = dict(zip(names, (EMPTY, *(one.snapshot for one in folder.versions)), strict=False))
    for one in chosen:
        file = path / one.folder / MIGRATION
        known = Known(file=str(file), lines=lines_of(file.read_text(encoding="utf-8")))
        report += judge(before[one.folder], one, today, known)
    return Linted(tuple(one.folder for one in chosen), report)
