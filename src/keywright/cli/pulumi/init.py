"""`keywright pulumi init`: what to add to an existing program."""

from pathlib import Path

import click

from keywright import api
from keywright.cli.options import Command, Common
from keywright.cli.say import note, relative_file, say
from keywright.project.additions import Addition, additions
from keywright.project.program import Program, find_program


@click.command(cls=Command)
@click.pass_obj
def command(common: Common) -> int:
    """Print what to add to the Pulumi program whose Pulumi.yaml is here or above; nothing is written.

    \b
    cd infra && keywright --project .. pulumi init
    """
    project = api.load(common.project)
    program = find_program(Path.cwd())
    if program is not None and common.verbosity >= 0:
        _tell(program)
    if program is not None and not program.is_python:
        return 0
    used = {one.engine for one in project.design.physicals}
    found = additions(project.settings, program, used, common.env)
    for one in found:
        if not one.is_there:
            _say(one)
    there = [relative_file(one.where) for one in found if one.is_there]
    if there:
        say(f"# there already: {', '.join(there)}")
    return 0


def _tell(program: Program) -> None:
    where = relative_file(str(program.file))
    if program.name == "keywright":
        note(f'{where}: the project is called "keywright", so that "keywright:..." means its own settings, not ours')
        note("  help: give the project another name")
    if program.is_python:
        note(f'{where}: "{program.name}", a program in Python in {relative_file(str(program.folder)) or "."}')
        return
    note(f'{where}: "{program.name}" is no program in Python but in {program.runtime or "nothing that it says"}')
    note("  help: `keywright compile --pulumi-yaml` writes the tables of DynamoDB as a program of their own")


def _say(one: Addition) -> None:
    """What to add, behind where."""
    say(f"# {one.verb} {relative_file(one.where)}" if one.verb else f"# {one.where}")
    say(one.text)
