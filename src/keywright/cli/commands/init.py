"""`keywright init`: create a project."""

import os
import shlex
from pathlib import Path

import click

from keywright.project.start import BINDINGS, start

from ..options import Command, Common
from ..output import counted, print_line
from ..values import FOLDER


@click.command(cls=Command)
@click.argument("folder", default=".", metavar="[DIR]", type=FOLDER)
@click.pass_obj
def command(common: Common, folder: str) -> int:
    """Write a small working project, or adopt a folder of Pydantic models.

    Existing files are never overwritten. An adopted folder gets a [tool.keywright] table, a stack file and
    stores.py, which declares the store of each model.

    \b
    keywright init library
    cd my-service && keywright init
    """
    created = start(Path(folder))
    if common.verbosity >= 0:
        if created.adopted:
            print_line(f"adopted {counted(len(created.adopted), 'model')}; declare the stores in {BINDINGS}")
        for name in created.written:
            print_line(f"  wrote {name}")
        print_line("\nnext:")
        if os.path.realpath(folder) != os.getcwd():
            print_line(f"  cd {shlex.quote(folder)}")
        for line in ("keywright check", "keywright compile", "keywright local up && keywright apply --local"):
            print_line(f"  {line}")
    return 0
