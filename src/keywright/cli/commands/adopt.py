"""`keywright adopt`: write models for existing stores and schema files."""

import difflib
from pathlib import Path

import click

from keywright.api.adopt.adopt import AdoptOptions, adopted_models, write_models
from keywright.api.adopt.model_files import NewModels
from keywright.ir.json import Json
from keywright.project.settings import Settings, has_project, read_settings
from keywright.project.start import stack_lines, start_without_models
from keywright.report.document import document

from ..options import Command, Common, formats
from ..output import counted, print_line, progress, relative_file

DEFAULT_FOLDER = "models"


@click.command(cls=Command)
@click.argument("sources", nargs=-1, required=True, metavar="SOURCE...")
@click.option("--into", "folder", metavar="DIR", type=click.Path(), help="Folder of the new files; models by default.")
@click.option("--diff", "is_diff", is_flag=True, help="Show the new files and write nothing.")
@formats("text", "json")
@click.pass_obj
def command(common: Common, sources: tuple[str, ...], folder: str | None, is_diff: bool, format_: str) -> int:
    """Write models for existing stores and schema files.

    A source is the address of a server, or a schema file or folder of them: CQL, redis.conf, CreateTable,
    CloudFormation, states of Terraform and Pulumi, NoSQL Workbench, mongodump and others. Stores are only read.
    Existing files are never changed: new models are written beside them, and tables that the project declares already
    are left out. What declarations cannot express is listed, and stays in the store as it is.

    \b
    keywright adopt cassandra://db.example.com:9042 --into models
    keywright adopt redis://db.example.com:6379
    keywright adopt aws:eu-central-1
    keywright adopt schema.cql
    keywright --env prod adopt cassandra://db.example.com:9042 --diff
    """
    is_new = not has_project(common.project)
    root = Path(common.project or ".").resolve()
    settings = Settings(root) if is_new else read_settings(common.project)
    into = Path(folder) if folder else settings.root / DEFAULT_FOLDER
    notify = (lambda name: progress(f"read {name}")) if common.verbosity >= 0 else lambda name: None
    environment = common.env or settings.default_environment
    models = adopted_models(AdoptOptions(settings, environment, sources, into, notify))
    started = start_without_models(root, models.settings) if is_new and models.files and not is_diff else ()
    if not is_diff:
        write_models(models)
    if format_ == "json":
        print_line(document("adopt/1", _json(models)), nl=False)
    else:
        _print(common, models, started, is_diff)
        if models.files and not is_diff and common.verbosity >= 0:
            lines = [] if is_new else _missing_settings(models, f"{settings.environments}/Pulumi.{environment}.yaml")
            lines.append("keywright check")
            if not all(Path(source).exists() for source in sources):
                lines.append(f"keywright --env {environment} migrate baseline --from live")
            print_line("\n  ".join(("\nnext:", *lines)))
    return 0


def _missing_settings(models: NewModels, stack: str) -> list[str]:
    """The lines that the stack file needs: an existing one is not changed."""
    settings = stack_lines(models.settings)
    return [f"add to {stack}, below keywright:environment:", *(f"  {line}" for line in settings)] if settings else []


def _json(models: NewModels) -> dict[str, Json]:
    return {
        "files": {relative_file(str(path)): text for path, text in models.files.items()},
        "entities": list(models.entities),
        "declared": models.declared,
        "not_expressed": [{"object": part.object, "reason": part.reason} for part in models.not_expressed],
        "settings": {engine: dict(part) for engine, part in models.settings.items()},
    }


def _print(common: Common, models: NewModels, started: tuple[str, ...], is_diff: bool) -> None:
    for path, text in models.files.items() if is_diff else ():
        lines = difflib.unified_diff([], text.splitlines(), "/dev/null", relative_file(str(path)), lineterm="")
        print_line("\n".join(lines))
    if common.verbosity < 0:
        return
    for name in () if is_diff else (*started, *(relative_file(str(path)) for path in models.files)):
        print_line(f"wrote {click.style(name, bold=True)}")
    for part in models.not_expressed:
        print_line(f"not expressed: {part.object}: {part.reason}")
    summary = f"{counted(len(models.entities), 'new entity', 'new entities')}"
    if models.declared:
        summary += f"; {models.declared} declared already"
    if models.not_expressed:
        summary += f"; {counted(len(models.not_expressed), 'part')} not expressed"
    print_line(summary)
