"""The command tree: help without imports, commands loaded when they run, suggestions for misspelt ones."""

from importlib import import_module
from typing import Any

import click

from keywright import __version__
from keywright.errors import did_you_mean

from . import help
from .help import COMMANDS
from .options import GLOBALS, Common, common


class Lazy(click.Group):
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

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        """See `click.Group.resolve_command`; an unknown command gets a suggestion."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            raise click.UsageError(f'there is no command "{args[0]}"\n  help: {did_you_mean(args[0], COMMANDS)}', ctx)
        return super().resolve_command(ctx, args)

    def get_help(self, ctx: click.Context) -> str:
        """See `click.Group.get_help`."""
        return help.text()


@click.group(
    cls=Lazy, params=[option() for option in GLOBALS], context_settings={"help_option_names": ["-h", "--help"]}
)
@click.version_option(__version__, prog_name="keywright", message="%(prog)s %(version)s")
@click.pass_context
def app(ctx: click.Context, /, **values: Any) -> None:
    """Take the common options; the help is that of `help.text`."""
    ctx.obj = common(Common(), values)
