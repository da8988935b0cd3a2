"""Migrations of small projects, written by the code that users run, then edited as by a person."""

import subprocess
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from pathlib import Path
from textwrap import dedent
from typing import Any

import yaml
from tests.projects import a_project, imported_alone

from keywright import api
from keywright.api.author.diff import difference, next_migration
from keywright.api.author.lint import lint
from keywright.api.author.owners import owners_of
from keywright.engines.findings.migration.migration import Hints
from keywright.migrations.checksums import Checksums
from keywright.migrations.migration import Migration, delta, document, read
from keywright.migrations.snapshot import EMPTY, Snapshot
from keywright.project.migrations.folder import Folder, write_migrations
from keywright.project.settings import Settings
from keywright.record import Record
from keywright.rules.rule import Report
from keywright.rules.run_migration import LintInputs, run

TODAY = date(2026, 11, 21)
TIMES = ("before", "between", "after")


class Case(Record):
    """A project after a few migrations."""

    migrations: tuple[Migration, ...]
    """All migrations; the report is about the last one."""
    hints: Hints
    """Former names in the models."""
    owners: Mapping[tuple[str, str], str]
    """Owners of objects."""
    sizes: Mapping[tuple[str, str], int]
    """Sizes of tables, as from a server."""

    @property
    def before(self) -> Snapshot:
        """The snapshot before the last migration."""
        return self.migrations[-2].snapshot if len(self.migrations) > 1 else EMPTY

    @property
    def report(self) -> Report:
        """The report about the last migration."""
        inputs = LintInputs(hints=self.hints, owners=self.owners, sizes=self.sizes)
        return run(self.before, self.migrations[-1], TODAY, inputs)


def case(folder: Path, files: Mapping[str, str]) -> Case:
    """The migrations of a case.

    files: `before`, `between` and `after` with the models of each time, `migration` with a person's edits of the
    last migration, `sizes` with the bytes of tables by store and key; or the paths of a page's blocks.
    """
    texts = {path.partition("/")[0].removesuffix(".yaml"): text for path, text in files.items()}
    migrations: tuple[Migration, ...] = ()
    hints: Hints = {}
    owners: Mapping[tuple[str, str], str] = {}
    for time in (time for time in TIMES if time in texts):
        so_far = Folder(folder, migrations, Checksums(()))
        settings = a_project(folder / time, dedent(texts[time]))
        with imported_alone(folder / time):
            compiled = api.compile(api.load(str(settings.root)), "dev")
            model_difference = difference(compiled, so_far)
        migrations, hints, owners = (
            (*migrations, next_migration(model_difference, so_far, time)),
            model_difference.draft.hints,
            owners_of(compiled),
        )
    if "migration" in texts:
        migrations = (*migrations[:-1], overlaid(migrations, yaml.safe_load(texts["migration"])))
    sizes = yaml.safe_load(texts.get("sizes", "{}"))
    return Case(migrations, hints, owners, {tuple(place.rsplit("/", 1)): size for place, size in sizes.items()})  # type: ignore[misc]


def edited(folder: Path, files: Mapping[str, str]) -> Report:
    """The report about a case as folders, after its edits in `migrations/`."""
    written_case = case(folder / "made", files)
    settings = a_project(folder / "project", {})
    written(settings, written_case.migrations)
    if "edit.sh" in files:
        subprocess.run(["sh", "-ec", files["edit.sh"]], cwd=settings.root / settings.migrations, check=True)
    return lint(settings, TODAY).report


def written(settings: Settings, migrations: Iterable[Migration]) -> None:
    """Write the folders of migrations in order."""
    write_migrations(settings.root / settings.migrations, [], [(migration, {}) for migration in migrations])


def overlaid(migrations: Sequence[Migration], words: Mapping[str, Any]) -> Migration:
    """The last of some migrations with a person's edits."""
    migration, before = migrations[-1], migrations[-2].snapshot if len(migrations) > 1 else EMPTY
    return read({**document(migration), **words}, migration.slug, delta(migration), before)


def codes(report: Report) -> list[str]:
    """The codes of all findings, each once, sorted."""
    return sorted({finding.code for finding in report.findings})


def error_codes(report: Report) -> list[str]:
    """The codes of all errors, each once, sorted."""
    return sorted({finding.code for finding in report.findings if finding.severity == "error"})
