"""Checks migrations by their folders: offline, without models, engines and drivers."""

from collections.abc import Mapping
from datetime import date

from keywright.engines.findings.migration.migration import Hints
from keywright.errors import Place
from keywright.migrations.checksums import FILE
from keywright.migrations.migration import FOLDER, Migration
from keywright.migrations.snapshot import EMPTY, Snapshot
from keywright.migrations.wording import named
from keywright.project.migrations.folder import MIGRATION, Edited, read_folder
from keywright.project.migrations.git import names_at
from keywright.project.settings import Settings
from keywright.record import Record
from keywright.rules.chain import behind, broken
from keywright.rules.rule import Report
from keywright.rules.run_migration import LintInputs, blocking, context_of, destructive, run, run_in_context
from keywright.rules.yaml_lines import lines_of

__all__ = ["Destroyed", "LintReport", "blocking", "judged", "lint"]


class Destroyed(Record):
    """An object that a migration drops or rebuilds."""

    version: str
    """Folder of the migration."""
    store: str
    """Store of the object."""
    object: str
    """Name of the object in findings."""
    what: str
    """Summary of the change."""
    why: str
    """Effect on a running system."""


class LintReport(Record):
    """Result of checking migrations."""

    migrations: tuple[str, ...]
    """Folders of the checked migrations, in order."""
    report: Report
    """Findings; places are absolute."""
    destroyed: tuple[Destroyed, ...] = ()
    """Objects that the migrations drop or rebuild, with or without a finding."""


def judged(
    migration: Migration,
    before: Snapshot,
    today: date,
    *,
    hints: Hints | None = None,
    owners: Mapping[tuple[str, str], str] | None = None,
) -> Report:
    """Findings of a migration before it is written; `blocking` returns those that prevent it.

    hints: former names that the models declare and no migration has used. owners: teams by store and object.
    """
    return run(before, migration, today, LintInputs(hints=hints, owners=owners or {}))


def lint(settings: Settings, today: date, *, base: str | None = None, latest: int | None = None) -> LintReport:
    """Check the migrations of a project.

    base: a commit, such as `origin/main`: only migrations that it lacks are checked, and they must follow its own.
    latest: check only that many of the last migrations.
    """
    path = settings.root / settings.migrations
    merged = names_at(settings.root, base, settings.migrations) if base else ()
    merged = tuple(name for name in merged if FOLDER.match(name))
    try:
        folder = read_folder(settings)
    except Edited as error:
        file = path / error.folder / MIGRATION if (path / error.folder / MIGRATION).is_file() else path / FILE
        finding = broken(error.code, error.problem, error.help, Place(str(file), 1), error.folder)
        return LintReport((), Report((finding,)).with_documentation(settings.documentation))
    names = [migration.folder for migration in folder.migrations]
    report = Report(tuple(behind(names, merged, Place(str(path / FILE), 1)))) if base else Report()
    chosen = [migration for migration in folder.migrations if migration.folder not in merged]
    chosen = chosen[-latest:] if latest else chosen
    before = dict(zip(names, (EMPTY, *(migration.snapshot for migration in folder.migrations)), strict=False))
    destroyed_objects: list[Destroyed] = []
    for migration in chosen:
        file = path / migration.folder / MIGRATION
        inputs = LintInputs(file=str(file), lines=lines_of(file.read_text(encoding="utf-8")))
        context = context_of(before[migration.folder], migration, inputs)
        destroyed_objects += (
            Destroyed(migration.folder, effect.store, effect.object, named(effect.change), effect.why)
            for effect in destructive(context)
        )
        report += run_in_context(context, migration, today, inputs)
    report = report.with_documentation(settings.documentation)
    return LintReport(tuple(migration.folder for migration in chosen), report, tuple(destroyed_objects))
