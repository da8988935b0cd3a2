"""Options of every command, before or after its name."""

import contextlib
import os
from collections.abc import Callable, Mapping
from importlib import import_module
from keyword import iskeyword
from typing import Any, Literal, cast

import click

from keywright.errors import DeclarationError, UsageError, did_you_mean
from keywright.frontend.import_limits import bounded
from keywright.record import Record, replace

from .values import FOLDER, Choice, Seconds

Colour = Literal["auto", "always", "never"]


class Common(Record):
    """Values of the common options."""

    project: str | None = None
    """Folder of the project; None to search upwards from the current folder."""
    env: str | None = None
    """Environment; None for the project's default environment."""
    color: Colour = "auto"
    """When to colour the output."""
    verbosity: int = 0
    """-1 quiet, 0 normal, 1 verbose."""
    import_timeout: float | None = None
    """Maximum seconds for the import of one model file; None for the project's setting."""


def _project() -> click.Option:
    help = "Folder of the project; by default searched upwards."
    return click.Option(["--project"], metavar="DIR", type=FOLDER, help=help)


def _env() -> click.Option:
    help = "Environment; by default the project's default environment."
    return click.Option(["--env"], metavar="ENV", shell_complete=_environments, help=help)


def _color() -> click.Option:
    return click.Option(["--color"], type=Choice(("auto", "always", "never")), help="When to colour the output.")


def _quiet() -> click.Option:
    return click.Option(["-q", "--quiet"], is_flag=True, default=None, help="Print only errors and findings.")


def _verbose() -> click.Option:
    return click.Option(["-v", "--verbose"], is_flag=True, default=None, help="Print every step.")


def _import_timeout() -> click.Option:
    help = "Time limit for the import of one model file; 60 by default."
    return click.Option(["--import-timeout"], metavar="SECONDS", type=Seconds(), help=help)


GLOBALS: tuple[Callable[[], click.Option], ...] = (_project, _env, _color, _quiet, _verbose, _import_timeout)
"""Factories of the common options; each command gets its own, because click cannot share options."""


def common(before: Common, values: dict[str, Any]) -> Common:
    """The common options, overridden by new values; KEYWRIGHT_ENV is the default of the environment."""
    keys = ("project", "env", "color", "import_timeout")
    overrides = {key: values[key] for key in keys if values.get(key) is not None}
    if values.get("quiet") or values.get("verbose"):
        overrides["verbosity"] = -1 if values.get("quiet") else 1
    after = replace(before, **overrides)
    if after.env is None and (name := os.environ.get("KEYWRIGHT_ENV")):
        after = replace(after, env=name)
    return after


def is_coloured(color: Colour) -> bool | None:
    """Whether to colour the output; None for terminals only."""
    if color == "auto":
        return False if os.environ.get("NO_COLOR") else None
    return color == "always"


class _CommonOptions(click.Command):
    """Adds the common options, and stores their values as `Common` in the context."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.params += [option() for option in GLOBALS]

    def get_help_option_names(self, ctx: click.Context) -> list[str]:
        """See `click.Command.get_help_option_names`."""
        return ["-h", "--help"]

    def invoke(self, ctx: click.Context) -> Any:
        """See `click.Command.invoke`."""
        keys = ("project", "env", "color", "quiet", "verbose", "import_timeout")
        values = {key: ctx.params.pop(key, None) for key in keys}
        ctx.obj = common(cast(Common, ctx.obj or Common()), values)
        ctx.color = ctx.find_root().color = is_coloured(ctx.obj.color)  # errors are printed by the root context
        with bounded(ctx.obj.import_timeout):
            return super().invoke(ctx)


class Command(_CommonOptions):
    """A command; the first argument of its function is a `Common`."""


class Group(_CommonOptions, click.Group):
    """A group of commands: suggests corrections for misspelt commands, and prints the help without a command."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """See `click.Group.parse_args`."""
        if not args and not ctx.resilient_parsing:
            click.echo(ctx.get_help())
            ctx.exit()
        return super().parse_args(ctx, args)

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        """See `click.Group.resolve_command`."""
        list_commands = self.list_commands(ctx)
        if args and args[0] not in list_commands and not args[0].startswith("-") and not ctx.resilient_parsing:
            words = " ".join((*ctx.command_path.split()[1:], args[0]))
            raise UsageError(f'there is no command "{words}"', did_you_mean(args[0], list_commands))
        return super().resolve_command(ctx, args)


class LazyGroup(Group):
    """A group whose commands are modules, imported to run them but not to list them."""

    package: str
    """Package of the modules."""
    short_helps: Mapping[str, str]
    """Commands with their short help, in the usual order of use."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """See `click.Group.list_commands`."""
        return list(self.short_helps)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """See `click.Group.get_command`."""
        if cmd_name not in self.short_helps:
            return None
        name = f"{cmd_name}_" if iskeyword(cmd_name) else cmd_name.replace("-", "_")
        command: click.Command = import_module(f"{self.package}.{name}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """See `click.Group.format_commands`; imports no command."""
        with formatter.section("Commands"):
            formatter.write_dl(list(self.short_helps.items()))


def formats(*names: str) -> Callable[[Any], Any]:
    """Option `--format` with these choices; the first is the default."""
    return click.option(
        "--format",
        "format_",
        type=Choice(names),
        default=names[0],
        show_default=True,
        help="Format of the output.",
    )


def _environments(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Shell completions of `--env`; none outside a project."""
    from keywright.project.environments.environment import environment_names
    from keywright.project.settings import read_settings

    with contextlib.suppress(UsageError, DeclarationError):
        project = ctx.find_root().params.get("project") or ctx.params.get("project")
        return [name for name in environment_names(read_settings(project)) if name.startswith(incomplete)]
    return []
