"""`keywright migrate diff`: the next version, from the models."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import date
from time import time_ns

import click

from keywright import api
from keywright.api.ignores import ignored_by_models
from keywright.api.lint import blocking, judged
from keywright.api.owners import owners_of
from keywright.api.versions import Difference, amended, difference, next_version
from keywright.cli.findings import lines
from keywright.cli.fresh import UNCHANGED, key
from keywright.cli.options import Command, Common, formats
from keywright.cli.say import counted, note, relative_file, say
from keywright.engines.registry import engine_of
from keywright.history.gates import awaited
from keywright.history.rendered import rendered
from keywright.history.version import Version, document
from keywright.history.wording import named
from keywright.ir.json import Json
from keywright.project import remember
from keywright.project.migrations import Folder, own_files, read_folder, write_versions
from keywright.report.document import document as enveloped
from keywright.rules.rule import Finding

DIFFERS, REFUSED = 1, 2


@click.command(cls=Command)
@click.option("-m", "--message", "text", metavar="TEXT", help="What changes, in a few words: the folder's name.")
@click.option("--check", "is_check", is_flag=True, help="Write nothing; exit 1 if the models are ahead.")
@click.option("--amend", "is_amended", is_flag=True, help="Write the last version anew; only before others have it.")
@formats("text", "json")
@click.pass_obj
def command(common: Common, text: str | None, is_check: bool, is_amended: bool, format_: str) -> int:
    """Write the difference between the models and the last version as the next one; needs no server.

    \b
    keywright migrate diff -m "orders by status"
    keywright migrate diff --check        in a pull request
    """
    begun = time_ns()
    compiled = api.compile(api.load(common.project), common.env)
    folder = read_folder(compiled.project.settings, is_amended=is_amended)
    last = folder.head if is_amended else None
    if last is not None:
        folder, text = replace(folder, versions=folder.versions[:-1]), text or last.slug
    found = difference(compiled, folder)
    if is_check or (not found.changes and last is None):
        if not found.changes and last is None:
            project = compiled.project
            folders, read = remember.versions(project.settings)
            name = f"diff-{key(common.env)}"
            remember.of_models(project.settings, project.files, name, begun, folders=folders, read=read)
        return _check(found, folder, format_)
    version = next_version(found, folder, text)
    others = rendered(version, found.draft.before, engine_of)
    if last is not None:
        version = amended(version, last)
        others |= own_files(folder.path / last.folder)
    report = judged(version, found.draft.before, date.today(), hints=found.draft.hints, owners=owners_of(compiled))
    version = replace(version, ignore=(*version.ignore, *ignored_by_models(compiled, report)))
    if refused := blocking(report):
        return _refuse(refused)
    gone = [last.folder] if last else []
    (path,) = write_versions(folder.path, [one.folder for one in folder.versions], [(version, others)], gone=gone)
    if format_ == "json":
        body: dict[str, Json] = {"folder": relative_file(str(path)), "version": document(version)}
        say(enveloped("migrate-diff/1", body), nl=False)
    else:
        _say(common, version, relative_file(str(path)))
    return 0


def _refuse(refused: Iterable[Finding]) -> int:
    """What no version may hold: nothing is written."""
    for one in refused:
        for line in lines(one):
            note(line)
    note("nothing was written")
    return REFUSED


def _check(found: Difference, folder: Folder, format_: str) -> int:
    if format_ == "json":
        changes: list[Json] = [named(change) for change in found.changes]
        say(enveloped("migrate-diff/1", {"changes": changes}), nl=False)
    elif found.changes:
        say(f"the models are ahead by {counted(len(found.changes), 'change')}: run `keywright migrate diff -m TEXT`")
        for change in found.changes:
            say(f"  {change.store}: {named(change)}")
    else:
        say(UNCHANGED)
    return DIFFERS if found.changes else 0


def _say(common: Common, version: Version, path: str) -> None:
    if common.verbosity < 0:
        return
    say(f"wrote {click.style(path, bold=True)}")
    for one in version.landings:
        say(f"  {one.classes:4} {one.change.store}: {named(one.change)}")
    stages = [stage for stage in version.stages if stage.is_gate]
    for stage in stages:
        say(f"  step {stage.n} waits for {awaited(stage).replace('a person:', 'you:', 1)}")
    say("read it, then: keywright migrate lint, keywright migrate plan --local, keywright migrate apply --local")
