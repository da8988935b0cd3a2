"""`keywright pulumi init`: print the code to add to an existing program."""

from pathlib import Path

import click

from keywright import api
from keywright.cli.options import Command, Common
from keywright.cli.output import note, print_line, relative_file
from keywright.project.additions import Addition, additions
from keywright.project.program import Program, find_program


@click.command(cls=Command)
@click.pass_obj
def command(common: Common) -> int:
    """Print the code to add to the Pulumi program in this folder or its parents; nothing is written.

    \b
    cd infra && keywright --project .. pulumi init
    """
    project = api.load(common.project)
    program = find_program(Path.cwd())
    if program is not None and common.verbosity >= 0:
        _print_program(program)
    if program is not None and not program.is_python:
        return 0
    used = {physical.engine for physical in project.design.physicals}
    all_additions = additions(project.settings, program, used, common.env)
    for addition in all_additions:
        if not addition.is_present:
            _print_addition(addition)
    existing = [relative_file(addition.where) for addition in all_additions if addition.is_present]
    if existing:
        print_line(f"# exists already: {', '.join(existing)}")
    return 0


def _print_program(program: Program) -> None:
    file = relative_file(str(program.file))
    if program.name == "keywright":
        note(f'{file}: the project has the name "keywright", so "keywright:..." means its own settings')
        note("  help: rename the project")
    if program.is_python:
        note(f'{file}: "{program.name}", a Python program in {relative_file(str(program.folder)) or "."}')
        return
    note(f'{file}: "{program.name}" is not a Python program; its runtime is {program.runtime or "not set"}')
    note("  help: `keywright compile --pulumi-yaml` writes the DynamoDB tables as a separate program")


def _print_addition(addition: Addition) -> None:
    """Print the location and the code of an addition."""
    print_line(f"# {addition.verb} {relative_file(addition.where)}" if addition.verb else f"# {addition.where}")
    print_line(addition.text)
