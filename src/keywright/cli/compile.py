"""`keywright compile`: models into artefacts."""

import sys
from pathlib import Path

import click

from keywright import __version__, api
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
    project = api.load(common.project)
    compiled = api.compile(project, common.env)
    folder = Path(out) if out else project.settings.root / project.settings.build / compiled.environment.name
    chosen = [name for name in NAMES if not engines or name in engines]
    files = {one.path: one.text for one in compiled.artefacts if one.path.partition("/")[0] in chosen}
    if not engines:
        files["ir.json"] = long_document(ir.SCHEMA, ir.dump(project.design))
    owned = [] if out else chosen
    found = changes(folder, files, owned)
    if not check:
        write_build(folder, files, found)
    if not engines and not out and not (check and found):
        _remember(project, folder, files, common)
    _tell(common, format_, compiled.environment.name, folder, found, len(files), check)
    return 1 if check and found else 0


def _remember(project: api.Project, folder: Path, files: dict[str, str], common: Common) -> None:
    """Note everything that this compile read, code included, and wrote."""
    settings = project.settings
    loaded = [file for module in list(sys.modules.values()) if (file := getattr(module, "__file__", None))]
    read = [str(settings.root / "pyproject.toml"), *project.files.values()]
    read += (file for file in loaded if file.startswith(f"{settings.root}/") and "/site-packages/" not in file)
    read += map(str, (settings.root / settings.environments).glob("Pulumi.*.yaml"))
    read += (str(folder / path) for path in files)
    folders = [str(path) for path in (*settings.root_paths, *settings.model_paths) if path.is_dir()]
    folders += (
        str(inner) for path in settings.model_paths if path.is_dir() for inner in path.rglob("*") if inner.is_dir()
    )
    folders += (str(folder / name) for name in NAMES)
    folders = [path for path in folders if not path.endswith("__pycache__")]
    cache.remember(str(settings.root), key(common.env), __version__, read, loaded, folders)


def _tell(
    common: Common, format_: str, environment: str, folder: Path, found: list[Change], total: int, check: bool
) -> None:
    if format_ == "json":
        body: dict[str, Json] = {
            "environment": environment,
            "folder": str(folder),
            "files": total,
            "changes": [{"path": change.path, "kind": change.kind} for change in found],
        }
        say(document("compile/1", body), nl=False)
        return
    if not found:
        if common.verbosity >= 0:
            say(UP_TO_DATE)
        return
    if common.verbosity >= 0 or check:
        for line in table([(change.kind, change.path) for change in found], indent=""):
            say(line)
    verb = "would change" if check else "written"
    if common.verbosity >= 0:
        say(f"{counted(len(found), 'file')} {verb} in {folder.name}, {counted(total, 'file')} in all")
