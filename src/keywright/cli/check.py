"""`keywright check`: everything that is wrong with the models, for people and for programs."""

from pathlib import Path

import click

from keywright import api
from keywright.errors import DeclarationError, UsageError
from keywright.project.environment import stack_file
from keywright.project.settings import read_settings
from keywright.report import findings

from .options import Command, Common, formats
from .say import counted, error_lines, note, relative, relative_file, say


@click.command(cls=Command)
@click.argument("paths", nargs=-1, metavar="[PATH]...", type=click.Path())
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
    _refuse_missing(paths)
    project, errors = _checked(common)
    shown = [error for error in errors if _is_in(error, paths)]
    if format_ == "json":
        say(findings.document([_finding(error) for error in shown], project.design if project else None), nl=False)
        return 2 if errors else 0
    for error in shown:
        for line in _concise(error) if format_ == "concise" else error_lines(error):
            say(line)
    if errors:
        _count(shown, len(errors) - len(shown))
    elif common.verbosity >= 0 and project:
        entities = counted(len(project.design.entities), "entity", "entities")
        say(f"no errors in {entities} and {counted(len(project.design.patterns), 'access pattern')}")
    return 2 if errors else 0


def _checked(common: Common) -> tuple[api.Project | None, list[DeclarationError]]:
    """The project and all that is wrong with it; there is none where its settings cannot be read."""
    try:
        settings = read_settings(common.project)
    except DeclarationError as error:
        return None, [error]
    name = common.env or settings.default_environment
    if common.env:
        stack_file(settings, name)  # a misspelt environment is said even where the models are wrong too
    project, errors = api.try_load(settings)
    return project, errors or api.try_compile(project, name)[1]


def _refuse_missing(paths: tuple[str, ...]) -> None:
    for path in paths:
        if not Path(path).exists():
            raise UsageError(f'there is no file or folder "{path}"', "name model files, or folders with some")


def _is_in(error: DeclarationError, paths: tuple[str, ...]) -> bool:
    """Whether an error is to be shown; one that stands in no file always is."""
    file, wanted = Path(error.at.file), [Path(path).resolve() for path in paths]
    return not wanted or not error.at.file or any(path in (file, *file.parents) for path in wanted)


def _concise(error: DeclarationError) -> list[str]:
    return [f"{relative(error.at)}: {error.code} {error.problem}"]


def _count(shown: list[DeclarationError], elsewhere: int) -> None:
    if elsewhere:
        others = f"{counted(elsewhere, 'error')} elsewhere in the project; `keywright check` shows all"
        note(f"{counted(len(shown), 'error')} here, {others}" if shown else f"no errors here, {others}")
    else:
        note(f"\n{counted(len(shown), 'error')}; `keywright explain {shown[0].code}` tells more about the first")


def _finding(error: DeclarationError) -> findings.Illegal:
    return findings.Illegal(
        error.code, error.problem, error.help, error.subject, relative_file(error.at.file), error.at.line
    )
