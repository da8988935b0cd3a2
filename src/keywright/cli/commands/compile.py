"""`keywright compile`: models into artefacts."""

import os
from pathlib import Path
from time import time_ns

import click

from keywright import api
from keywright.api.check.matrix import access
from keywright.engines.registry import NAMES, facts_of, in_order, module_of, stack_tables
from keywright.ir import document as ir
from keywright.ir.json import Json
from keywright.project import fast_path
from keywright.project.build import FileChange, changes, write_build
from keywright.report.document import document, long_document

from ..fast_path import UP_TO_DATE, key
from ..options import Command, Common, formats
from ..output import counted, note, print_line, table
from ..values import FOLDER, EngineName


@click.command(cls=Command)
@click.option(
    "--engine", "engines", multiple=True, type=EngineName(), help="Compile only this engine; may be repeated."
)
@click.option("--out", metavar="DIR", type=FOLDER, help="Output folder; by default build/<env>.")
@click.option("--check", is_flag=True, help="Write nothing; exit 1 if anything would change.")
@click.option("--pulumi-yaml", is_flag=True, help="Also write the DynamoDB tables as a Pulumi YAML program.")
@formats("text", "json")
@click.pass_obj
def command(
    common: Common, engines: tuple[str, ...], out: str | None, check: bool, pulumi_yaml: bool, format_: str
) -> int:
    """Turn models into artefacts: CreateTable inputs, mongosh scripts, CQL and redis.conf.

    \b
    keywright compile                       write build/dev/
    keywright --env prod compile --check    exit 1 if build/prod/ does not match the models
    keywright compile --engine cassandra --out /tmp/cql
    keywright compile --pulumi-yaml         also write build/dev/pulumi/Pulumi.yaml
    """
    started = time_ns()
    project = api.load(common.project)
    compiled = api.compile(project, common.env)
    folder = Path(out) if out else project.settings.root / project.settings.build / compiled.environment.name
    names = in_order({*NAMES, *(target.engine.name for target in compiled.targets)})
    selected = [name for name in names if not engines or name in engines]
    files = {
        artefact.path: artefact.text for artefact in compiled.artefacts if artefact.path.partition("/")[0] in selected
    }
    if not engines:
        files["ir.json"] = long_document(ir.SCHEMA, ir.dump(project.design))
        files["access.json"] = access(api.plan_access(compiled))
    artefacts = dict(files)
    if pulumi_yaml:
        files |= _static_program(common, compiled, folder)
    owned = {} if out else {name: facts_of(name).suffixes for name in selected}
    file_changes = changes(folder, files, owned)
    if not check:
        write_build(folder, files, file_changes)
    if not engines and not out and not (check and file_changes):
        written = {str(folder / path): text for path, text in artefacts.items()}
        outputs = [folder / name for name in names]
        fast_path.of_models(
            project.settings, project.files, f"compile-{key(common.env)}", started, artefacts=written, folders=outputs
        )
    if format_ == "json":
        print_line(document("compile/1", body(compiled.environment.name, folder, len(files), file_changes)), nl=False)
    else:
        print_changes(common, out or folder.name, len(files), file_changes, check)
    return 1 if check and file_changes else 0


def _static_program(common: Common, compiled: api.Compiled, folder: Path) -> dict[str, str]:
    """Pulumi YAML program of the environment: from the models in mode dev, else from the position of its stores."""
    from keywright.api.live.connect import StoreSelector
    from keywright.api.pulumi.plain import POSITION
    from keywright.api.stack.desired import stack_of
    from keywright.project.program import find_program, named

    settings, environment = compiled.project.settings, compiled.environment.name
    stack = stack_of(StoreSelector(settings, environment, is_local=False), os.environ.get(POSITION))
    existing = find_program(settings.root)
    name = existing.name if existing else named(settings.root.name)
    programs: dict[str, str] = {}
    for tables in stack_tables().values():
        module = module_of(tables.engine, "static")
        for migration in stack.pending:
            note(f"{module.FILE} does not contain {migration}, which is not applied in {environment} yet")
        stacks = os.path.relpath(settings.root / settings.environments, (folder / module.FILE).resolve().parent)
        programs[module.FILE] = module.program(name, stack, Path(stacks).as_posix())
    return programs


def body(environment: str, folder: Path, total: int, file_changes: list[FileChange]) -> dict[str, Json]:
    """JSON body about files that were written, or would be."""
    return {
        "environment": environment,
        "folder": str(folder),
        "files": total,
        "changes": [{"path": change.path, "kind": change.kind} for change in file_changes],
    }


def print_changes(common: Common, folder: str, total: int, file_changes: list[FileChange], check: bool) -> None:
    """Print the changes of files in a folder."""
    if file_changes and (common.verbosity >= 0 or check):
        for line in table([(change.kind, change.path) for change in file_changes], indent=""):
            print_line(line)
    if common.verbosity < 0:
        return
    removed = sum(change.kind == "stale" for change in file_changes)
    if not file_changes:
        print_line(UP_TO_DATE)
    elif check:
        print_line(f"{counted(len(file_changes), 'file')} would change in {folder}, {counted(total, 'file')} in all")
    else:
        summary = f"{counted(len(file_changes) - removed, 'file')} written" + (
            f", {removed} removed" if removed else ""
        )
        print_line(f"{summary} in {folder}, {counted(total, 'file')} in all")
