"""The command tree: help without imports, commands loaded when they run, suggestions for misspelt ones."""

from typing import Any

import click

from keywright import __version__

from . import help
from .help import COMMANDS
from .options import Lazy


class App(Lazy):
    """The program itself."""

    package = "keywright.cli"
    shorts = COMMANDS

    def get_help(self, ctx: click.Context) -> str:
        """See `click.Group.get_help`."""
        return help.text()


@click.group(cls=App)
@click.version_option(__version__, prog_name="keywright", message="%(prog)s %(version)s")
def app(**values: Any) -> None:
    """Take the common options; the help is that of `help.text`."""
