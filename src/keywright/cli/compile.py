"""`keywright compile`: models into artefacts."""

import os
import sys
from pathlib import Path
from time import time_ns

import click

from keywright import __version__, api
from keywright.api.patterns import access
from keywright.engines.registry import ENGINES
from keywright.ir import document as ir
from keywright.ir.json import Json
from keywright.project import cache
from keywright.project.build import Change, changes, write_build
from keywright.report.document import document, long_document

from .fresh import UP_TO_DATE, key
from .options import Command, Common, formats
from .say import counted, say, table
from .values import FOLDER, OneOf

NAMES = [engine.name for engine in ENGINES]


@click.command(cls=Command)
@click.option("--engine", "engines", multiple=True, type=OneOf(NAMES), help="Only this engine; may be repeated.")
@click.option("--out", metavar="DIR", type=FOLDER, help="Folder to write to, in place of build/<env>.")
@click.option("--check", is_flag=True, help="Write nothing; exit 1 if anything would change.")
@formats("text", "json")
@click.pass_obj
def command(common: Common, engines: tuple[str, ...], out: str | None, check: bool, format_: str) -> int:
    """Turn models into artefacts: CreateTable inputs, mongosh scripts, CQL and redis.conf.

    \b
    keywright compile                       into build/dev/
    keywright --env prod compile --check    exit 1 if build/prod/ is behind the models
    keywright compile --engine cassandra --out /tmp/cql
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
    owned = [] if out else chosen
    found = changes(folder, files, owned)
    if not check:
        write_build(folder, files, found)
    if not engines and not out and not (check and found):
        _remember(project, folder, files, common, begun)
    if format_ == "json":
        say(_document(compiled.environment.name, folder, len(files), found), nl=False)
    else:
        _tell(common, out or folder.name, len(files), found, check)
    return 1 if check and found else 0


def _remember(project: api.Project, folder: Path, files: dict[str, str], common: Common, begun: int) -> None:
    """Note everything that this compile read, code included, and wrote."""
    settings = project.settings
    loaded = [file for module in list(sys.modules.values()) if (file := getattr(module, "__file__", None))]
    own = [file for file in loaded if file.startswith(f"{settings.root}/") and "/site-packages/" not in file]
    stacks = (settings.root / settings.environments).glob("Pulumi.*.yaml")
    models = [path for path in settings.model_paths if path.is_dir()]
    folders = [
        *settings.root_paths,
        *models,
        *(inner for path in models for inner in path.rglob("*") if inner.is_dir()),
    ]
    # A package that appears beside a module that was imported would be imported in its place.
    around = {os.path.dirname(file) for file in (*project.files.values(), *own)}
    outputs = [folder / name for name in NAMES]
    cache.remember(
        str(settings.root),
        key(common.env),
        __version__,
        begun=begun,
        read=[str(settings.root / "pyproject.toml"), *project.files.values(), *own, *map(str, stacks)],
        made={str(folder / path): text for path, text in files.items()},
        libraries=loaded,
        folders=[str(path) for path in (*folders, *around, *outputs) if Path(path).name != "__pycache__"],
    )


def _document(environment: str, folder: Path, total: int, found: list[Change]) -> str:
    body: dict[str, Json] = {
        "environment": environment,
        "folder": str(folder),
        "files": total,
        "changes": [{"path": change.path, "kind": change.kind} for change in found],
    }
    return document("compile/1", body)


def _tell(common: Common, shown: str, total: int, found: list[Change], check: bool) -> None:
    """shown: how the folder is called."""
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
