"""The command tree: help without imports, commands loaded when they run, suggestions for misspelt ones."""

from importlib import import_module
from typing import Any

import click

from keywright import __version__

from . import help
from .help import COMMANDS
from .options import Group


class Lazy(Group):
    """A group whose commands are imported when they are run, not when they are listed."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """See `click.Group.list_commands`."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """See `click.Group.get_command`."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"keywright.cli.{cmd_name}").command
        return command

    def get_help(self, ctx: click.Context) -> str:
        """See `click.Group.get_help`."""
        return help.text()


@click.group(cls=Lazy)
@click.version_option(__version__, prog_name="keywright", message="%(prog)s %(version)s")
def app(**values: Any) -> None:
    """Take the common options; the help is that of `help.text`."""
