"""`keywright check`: everything that is wrong with the models, for people and for programs."""

from pathlib import Path

import click

from keywright import api
from keywright.errors import DeclarationError, did_you_mean
from keywright.ir.json import Json
from keywright.project.environment import environment_names
from keywright.project.settings import read_settings
from keywright.report import findings

from .options import Command, Common, formats
from .say import counted, error_lines, note, relative, say


@click.command(cls=Command)
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@formats("text", "concise", "json")
@click.pass_obj
def command(common: Common, paths: tuple[str, ...], format_: str) -> int:
    """Report what is wrong with the models, in the chosen environment.

    PATH limits the report to files and folders; the whole project is read all the same.

    \b
    keywright check
    keywright --env prod check models/shop.py
    keywright check --format json | jq '.findings[].code'
    """
    settings = read_settings(common.project)
    project, errors = api.try_load(settings)
    name = common.env or settings.default_environment
    if common.env and common.env not in environment_names(settings):
        help = did_you_mean(common.env, environment_names(settings))
        raise click.UsageError(f'there is no environment "{common.env}"\n  help: {help}')
    if not errors:
        errors = api.try_compile(project, name)[1]
    shown = [error for error in errors if _is_in(error, paths)]
    if format_ == "json":
        click.echo(findings.document([_finding(error) for error in shown], checked=_checked(project)), nl=False)
    else:
        _say(common, shown, format_, project)
    return 2 if errors else 0


def _say(common: Common, errors: list[DeclarationError], format_: str, project: api.Project) -> None:
    for error in errors:
        if format_ == "concise":
            say(f"{relative(error.at)}: {error.code} {error.problem}")
        else:
            for line in error_lines(error):
                say(line)
    if errors:
        note(f"\n{counted(len(errors), 'error')}; `keywright explain {errors[0].code}` tells more about the first")
    elif common.verbosity >= 0:
        design = project.design
        entities = counted(len(design.entities), "entity", "entities")
        say(f"no errors in {entities} and {counted(len(design.patterns), 'access pattern')}")


def _is_in(error: DeclarationError, paths: tuple[str, ...]) -> bool:
    file = Path(error.at.file)
    return not paths or any(file == Path(path).resolve() or Path(path).resolve() in file.parents for path in paths)


def _finding(error: DeclarationError) -> findings.Illegal:
    return findings.Illegal(
        error.code,
        error.problem,
        error.help,
        error.subject,
        relative(error.at).rpartition(":")[0] or relative(error.at),
        error.at.line,
    )


def _checked(project: api.Project) -> dict[str, Json]:
    return {"entities": len(project.design.entities), "patterns": len(project.design.patterns)}
