"""`keywright migrate diff`: write the next migration from the models."""

from collections.abc import Iterable
from datetime import date
from time import time_ns
from typing import NoReturn

import click

from keywright import api
from keywright.api.author.diff import ModelDifference, amended, difference, next_migration, outdated
from keywright.api.author.lint import blocking, judged
from keywright.api.author.owners import owners_of
from keywright.api.author.suppressions import ignored_by_models
from keywright.cli.fast_path import UNCHANGED, key
from keywright.cli.findings import lines
from keywright.cli.options import Command, Common, formats
from keywright.cli.output import counted, note, print_line, relative_file
from keywright.engines.registry import engine_of
from keywright.errors import UsageError
from keywright.ir.json import Json
from keywright.migrations.migration import Migration, document
from keywright.migrations.rendered import rendered
from keywright.migrations.run.gates import awaited
from keywright.migrations.wording import named
from keywright.project import fast_path
from keywright.project.migrations.folder import Folder, own_files, read_folder, write_migrations
from keywright.record import replace
from keywright.report.document import document as enveloped
from keywright.rules.rule import Finding

DIFFERS, REFUSED = 1, 2


@click.command(cls=Command)
@click.option("-m", "--message", "text", metavar="TEXT", help="Summary of the change, used as the name of the folder.")
@click.option("--check", "is_check", is_flag=True, help="Write nothing; exit 1 if the models have other changes.")
@click.option("--amend", "is_amended", is_flag=True, help="Rewrite the last migration; only before it is shared.")
@formats("text", "json")
@click.pass_obj
def command(common: Common, text: str | None, is_check: bool, is_amended: bool, format_: str) -> int:
    """Write the difference between the last migration and the models as the next migration; needs no server.

    \b
    keywright migrate diff -m "orders by status"
    keywright migrate diff --check        for pull requests
    """
    started = time_ns()
    compiled = api.compile(api.load(common.project), common.env)
    folder = read_folder(compiled.project.settings, is_amended=is_amended)
    last = folder.head if is_amended else None
    if last is not None:
        folder, text = replace(folder, migrations=folder.migrations[:-1]), text or last.slug
    model_difference = difference(compiled, folder)
    if is_check or (not model_difference.changes and last is None):
        stale = () if model_difference.changes else outdated(compiled, folder)
        if not model_difference.changes and not stale and last is None:
            project = compiled.project
            watched, read = fast_path.migrations(project.settings)
            name = f"diff-{key(common.env)}"
            fast_path.of_models(project.settings, project.files, name, started, folders=watched, read=read)
        return _check(model_difference, folder, stale, format_)
    if last is not None and last.changes and not model_difference.changes:
        _reject_empty(folder, last)
    migration = next_migration(model_difference, folder, text)
    if last is not None:
        migration = amended(migration, last)
    unsuppressed = replace(migration, ignore=())
    report = judged(
        unsuppressed,
        model_difference.draft.before,
        date.today(),
        hints=model_difference.draft.hints,
        owners=owners_of(compiled),
    )
    by_models = ignored_by_models(compiled, report)
    keys = {(suppression["code"], suppression["object"]) for suppression in by_models}
    by_hand = (
        suppression
        for suppression in migration.ignore
        if (suppression.get("code"), suppression.get("object")) not in keys
    )
    migration = replace(migration, ignore=(*by_hand, *by_models))
    if blocking_findings := blocking(report):
        return _reject(blocking_findings)
    files = rendered(migration, model_difference.draft.before, engine_of)
    if last is not None:
        files |= own_files(folder.path / last.folder)
    replaced = [last.folder] if last else []
    folders = [existing.folder for existing in folder.migrations]
    (path,) = write_migrations(folder.path, folders, [(migration, files)], removed=replaced)
    if format_ == "json":
        body: dict[str, Json] = {"folder": relative_file(str(path)), "migration": document(migration)}
        print_line(enveloped("migrate-diff/2", body), nl=False)
    else:
        _print_migration(common, migration, relative_file(str(path)))
    return 0


def _reject_empty(folder: Folder, last: Migration) -> NoReturn:
    """Raise UsageError for an amended migration without changes."""
    before = folder.head.folder if folder.head else "an empty store"
    problem = f'"{last.folder}" has no changes left: the models match {before}'
    raise UsageError(problem, "`keywright migrate discard` removes it")


def _reject(findings: Iterable[Finding]) -> int:
    """Print findings that no migration may have."""
    for finding in findings:
        for line in lines(finding, err=True):
            note(line)
    note("nothing was written")
    return REFUSED


def _check(model_difference: ModelDifference, folder: Folder, stale: tuple[str, ...], format_: str) -> int:
    if format_ == "json":
        changes: list[Json] = [named(change) for change in model_difference.changes]
        changes += (f"transform of {entity}" for entity in stale)
        print_line(enveloped("migrate-diff/2", {"changes": changes}), nl=False)
    elif model_difference.changes:
        print_line(
            f"the models have {counted(len(model_difference.changes), 'change')} that no migration contains: "
            "run `keywright migrate diff -m TEXT`"
        )
        for change in model_difference.changes:
            print_line(f"  {change.store}: {named(change)}")
    elif stale and folder.head is not None:
        print_line(f"the transforms of {folder.head.folder} differ from those of the models: {', '.join(stale)}")
        note("help: run `keywright migrate diff --amend` if nobody else has the migration; else raise schema_version, "
             "and declare the change as a separate upgrade")  # fmt: skip
    else:
        print_line(UNCHANGED)
    return DIFFERS if model_difference.changes or stale else 0


def _print_migration(common: Common, migration: Migration, path: str) -> None:
    if common.verbosity < 0:
        return
    print_line(f"wrote {click.style(path, bold=True)}")
    for numbered_change in migration.changes:
        print_line(f"  {numbered_change.classes:4} {numbered_change.change.store}: {named(numbered_change.change)}")
    steps = [step for step in migration.steps if step.is_gate]
    for step in steps:
        print_line(f"  step {step.n} waits for {awaited(step).replace('a person:', 'you:', 1)}")
    print_line(
        "next: review it; keywright migrate lint; keywright migrate plan --local; keywright migrate apply --local"
    )
