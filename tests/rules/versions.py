"""Versions of small projects: written by the code that writes them for users, then changed as a person would."""

import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from textwrap import dedent
from typing import Any

import yaml
from tests.projects import a_project, imported_alone

from keywright import api
from keywright.api.lint import lint
from keywright.api.owners import owners_of
from keywright.api.versions import difference, next_version
from keywright.engines.hazards.version import Hints
from keywright.history import version as versions
from keywright.history.snapshot import EMPTY, Snapshot
from keywright.history.sums import Sums
from keywright.history.version import Version, document
from keywright.project.migrations import Folder, write_versions
from keywright.project.settings import Settings
from keywright.rules.judge import Known, judge
from keywright.rules.rule import Report

TODAY = date(2026, 11, 21)
TIMES = ("before", "between", "after")


@dataclass(frozen=True)
class Case:
    """What became of a project over a few versions."""

    versions: tuple[Version, ...]
    """All of them; the last one is judged."""
    hints: Hints
    """What the models say of former names."""
    owners: Mapping[tuple[str, str], str]
    """Who owns what."""
    sizes: Mapping[tuple[str, str], int]
    """What a server would say."""

    @property
    def before(self) -> Snapshot:
        """What the last one begins with."""
        return self.versions[-2].snapshot if len(self.versions) > 1 else EMPTY

    @property
    def report(self) -> Report:
        """What is to be said of the last one."""
        known = Known(hints=self.hints, owners=self.owners, sizes=self.sizes)
        return judge(self.before, self.versions[-1], TODAY, known)


def case(folder: Path, files: Mapping[str, str]) -> Case:
    """The versions of a case.

    files: `before`, `between` and `after` with the models of each time, `migration` with what a person writes into the
    last version, `sizes` with the bytes of tables by store and key; or the paths that blocks of a page have.
    """
    texts = {path.partition("/")[0].removesuffix(".yaml"): text for path, text in files.items()}
    made: tuple[Version, ...] = ()
    hints: Hints = {}
    owners: Mapping[tuple[str, str], str] = {}
    for time in (one for one in TIMES if one in texts):
        so_far = Folder(folder, made, Sums(()))
        settings = a_project(folder / time, dedent(texts[time]))
        with imported_alone(folder / time):
            compiled = api.compile(api.load(str(settings.root)), "dev")
            found = difference(compiled, so_far)
        made, hints, owners = (*made, next_version(found, so_far, time)), found.draft.hints, owners_of(compiled)
    if "migration" in texts:
        made = (*made[:-1], overlaid(made[-1], yaml.safe_load(texts["migration"])))
    sizes = yaml.safe_load(texts.get("sizes", "{}"))
    return Case(made, hints, owners, {tuple(place.rsplit("/", 1)): size for place, size in sizes.items()})  # type: ignore[misc]


def edited(folder: Path, files: Mapping[str, str]) -> Report:
    """What is to be said of a case as folders, after what it does in `migrations/`."""
    made = case(folder / "made", files)
    settings = a_project(folder / "project", {})
    written(settings, made.versions)
    if "edit.sh" in files:
        subprocess.run(["sh", "-ec", files["edit.sh"]], cwd=settings.root / settings.migrations, check=True)
    return lint(settings, TODAY).report


def written(settings: Settings, versions: Iterable[Version]) -> None:
    """The folders of versions, one behind the other."""
    write_versions(settings.root / settings.migrations, [], [(one, {}) for one in versions])


def overlaid(version: Version, words: Mapping[str, Any]) -> Version:
    """The version with what a person wrote into its file."""
    return versions.read({**document(version), **words}, version.slug, version.snapshot)


def codes(report: Report) -> list[str]:
    """The codes of all findings, each once, sorted."""
    return sorted({one.code for one in report.findings})


def error_codes(report: Report) -> list[str]:
    """The same of errors alone."""
    return sorted({one.code for one in report.findings if one.severity == "error"})
