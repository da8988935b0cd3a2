"""The command tree: prints help without imports, imports a command only to run it, and corrects misspelt names."""

from typing import Any

import click

from keywright import __version__

from . import help
from .help import COMMANDS
from .options import LazyGroup


class App(LazyGroup):
    """The top-level command group."""

    package = "keywright.cli.commands"
    short_helps = COMMANDS

    def get_help(self, ctx: click.Context) -> str:
        """See `click.Group.get_help`."""
        return help.text()


@click.group(cls=App)
@click.version_option(__version__, prog_name="keywright", message="%(prog)s %(version)s")
def app(**values: Any) -> None:
    """Accept the common options; `help.text` is the help."""
