"""`keywright compile`: models into artefacts."""

import os
from pathlib import Path
from time import time_ns

import click

from keywright import api
from keywright.api.patterns import access
from keywright.engines.registry import ENGINES
from keywright.ir import document as ir
from keywright.ir.json import Json
from keywright.project import remember
from keywright.project.build import Change, changes, write_build
from keywright.report.document import document, long_document

from .fresh import UP_TO_DATE, key
from .options import Command, Common, formats
from .say import counted, note, say, table
from .values import FOLDER, OneOf

NAMES = [engine.name for engine in ENGINES]


@click.command(cls=Command)
@click.option("--engine", "engines", multiple=True, type=OneOf(NAMES), help="Only this engine; may be repeated.")
@click.option("--out", metavar="DIR", type=FOLDER, help="Folder to write to, in place of build/<env>.")
@click.option("--check", is_flag=True, help="Write nothing; exit 1 if anything would change.")
@click.option("--pulumi-yaml", is_flag=True, help="Also the tables of DynamoDB, as a program in Pulumi's YAML.")
@formats("text", "json")
@click.pass_obj
def command(
    common: Common, engines: tuple[str, ...], out: str | None, check: bool, pulumi_yaml: bool, format_: str
) -> int:
    """Turn models into artefacts: CreateTable inputs, mongosh scripts, CQL and redis.conf.

    \b
    keywright compile                       into build/dev/
    keywright --env prod compile --check    exit 1 if build/prod/ is behind the models
    keywright compile --engine cassandra --out /tmp/cql
    keywright compile --pulumi-yaml         build/dev/pulumi/Pulumi.yaml too
    """
    begun = time_ns()
    project = api.load(common.project)
    compiled = api.compile(project, common.env)
    folder = Path(out) if out else project.settings.root / project.settings.build / compiled.environment.name
    chosen = [name for name in NAMES if not engines or name in engines]
    files = {one.path: one.text for one in compiled.artefacts if one.path.partition("/")[0] in chosen}
    if not engines:
        files["ir.json"] = long_document(ir.SCHEMA, ir.dump(project.design))
        files["access.json"] = access(api.plan_access(compiled))
    artefacts = dict(files)
    if pulumi_yaml:
        files |= _static(common, compiled, folder)
    owned = [] if out else chosen
    found = changes(folder, files, owned)
    if not check:
        write_build(folder, files, found)
    if not engines and not out and not (check and found):
        made = {str(folder / path): text for path, text in artefacts.items()}
        outputs = [folder / name for name in NAMES]
        remember.of_models(
            project.settings, project.files, f"compile-{key(common.env)}", begun, made=made, folders=outputs
        )
    if format_ == "json":
        say(document("compile/1", body(compiled.environment.name, folder, len(files), found)), nl=False)
    else:
        tell(common, out or folder.name, len(files), found, check)
    return 1 if check and found else 0


def _static(common: Common, compiled: api.Compiled, folder: Path) -> dict[str, str]:
    """The static program of the environment: that of its models in development, else of its position."""
    from keywright.api.provided import POSITION
    from keywright.api.sites import Where
    from keywright.api.stack import stack_of
    from keywright.project.program import find_program, named
    from keywright.provision.static import FILE, program

    settings, environment = compiled.project.settings, compiled.environment.name
    stack = stack_of(Where(settings, environment, is_local=False), os.environ.get(POSITION))
    for version in stack.pending:
        note(f"{version} is still to come in {environment}, and not in {FILE}")
    above = find_program(settings.root)
    stacks = os.path.relpath(settings.root / settings.environments, (folder / FILE).resolve().parent)
    return {FILE: program(above.name if above else named(settings.root.name), stack, Path(stacks).as_posix())}


def body(environment: str, folder: Path, total: int, found: list[Change]) -> dict[str, Json]:
    """What a document says of files that were written, or would be."""
    return {
        "environment": environment,
        "folder": str(folder),
        "files": total,
        "changes": [{"path": change.path, "kind": change.kind} for change in found],
    }


def tell(common: Common, shown: str, total: int, found: list[Change], check: bool) -> None:
    """The same as text; shown: how the folder is called."""
    if found and (common.verbosity >= 0 or check):
        for line in table([(change.kind, change.path) for change in found], indent=""):
            say(line)
    if common.verbosity < 0:
        return
    removed = sum(change.kind == "stale" for change in found)
    if not found:
        say(UP_TO_DATE)
    elif check:
        say(f"{counted(len(found), 'file')} would change in {shown}, {counted(total, 'file')} in all")
    else:
        done = f"{counted(len(found) - removed, 'file')} written" + (f", {removed} removed" if removed else "")
        say(f"{done} in {shown}, {counted(total, 'file')} in all")
