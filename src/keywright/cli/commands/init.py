"""`keywright init`: a project to start from."""

import os
import shlex
from pathlib import Path

import click

from keywright.project.start import BINDINGS, start

from .options import Command, Common
from .say import counted, say
from .values import FOLDER


@click.command(cls=Command)
@click.argument("folder", default=".", metavar="[DIR]", type=FOLDER)
@click.pass_obj
def command(common: Common, folder: str) -> int:
    """Write a small working project, or adopt a folder of Pydantic models.

    Nothing that is there is overwritten. An adopted folder gets a [tool.keywright] table, a stack file and
    stores.py, which says how each model is stored.

    \b
    keywright init library
    cd my-service && keywright init
    """
    begun = start(Path(folder))
    if common.verbosity >= 0:
        if begun.adopted:
            say(f"adopted {counted(len(begun.adopted), 'model')}; say in {BINDINGS} how each is stored")
        for name in begun.written:
            say(f"  wrote {name}")
        say("\nnext:")
        if os.path.realpath(folder) != os.getcwd():
            say(f"  cd {shlex.quote(folder)}")
        for line in ("keywright check", "keywright compile", "keywright local up && keywright apply --local"):
            say(f"  {line}")
    return 0
