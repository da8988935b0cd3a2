"""Options that every command takes, before its name or after it."""

import contextlib
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from importlib import import_module
from keyword import iskeyword
from typing import Any, Literal, cast

import click

from keywright.errors import DeclarationError, UsageError, did_you_mean

from .values import FOLDER, OneOf

Colour = Literal["auto", "always", "never"]


@dataclass(frozen=True, slots=True)
class Common:
    """What the common options say."""

    project: str | None = None
    """Folder of the project; None for the nearest one."""
    env: str | None = None
    """Environment; None for the project's default."""
    color: Colour = "auto"
    """Whether to colour."""
    verbosity: int = 0
    """-1 quiet, 0 normal, 1 verbose."""


def _project() -> click.Option:
    help = "Folder of the project; by default the nearest one above."
    return click.Option(["--project"], metavar="DIR", type=FOLDER, help=help)


def _env() -> click.Option:
    help = "Environment; by default the project's default one."
    return click.Option(["--env"], metavar="ENV", shell_complete=_environments, help=help)


def _color() -> click.Option:
    return click.Option(["--color"], type=OneOf(("auto", "always", "never")), help="When to colour the output.")


def _quiet() -> click.Option:
    return click.Option(["-q", "--quiet"], is_flag=True, default=None, help="Say only what is wrong.")


def _verbose() -> click.Option:
    return click.Option(["-v", "--verbose"], is_flag=True, default=None, help="Say every step.")


GLOBALS: tuple[Callable[[], click.Option], ...] = (_project, _env, _color, _quiet, _verbose)
"""Makers of the common options; each command gets its own, since click lets none be shared."""


def common(before: Common, values: dict[str, Any]) -> Common:
    """The common options with those that were given now; the environment's variables count where none was."""
    given = {key: values[key] for key in ("project", "env", "color") if values.get(key) is not None}
    if values.get("quiet") or values.get("verbose"):
        given["verbosity"] = -1 if values.get("quiet") else 1
    made = replace(before, **given)
    if made.env is None and (name := os.environ.get("KEYWRIGHT_ENV")):
        made = replace(made, env=name)
    return made


def is_coloured(color: Colour) -> bool | None:
    """Whether to colour; None to do so on a terminal."""
    if color == "auto":
        return False if os.environ.get("NO_COLOR") else None
    return color == "always"


class _Taking(click.Command):
    """Takes the common options beside its own, and leaves a `Common` for those who run."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.params += [option() for option in GLOBALS]

    def get_help_option_names(self, ctx: click.Context) -> list[str]:
        """See `click.Command.get_help_option_names`."""
        return ["-h", "--help"]

    def invoke(self, ctx: click.Context) -> Any:
        """See `click.Command.invoke`."""
        values = {key: ctx.params.pop(key, None) for key in ("project", "env", "color", "quiet", "verbose")}
        ctx.obj = common(cast(Common, ctx.obj or Common()), values)
        ctx.color = ctx.find_root().color = is_coloured(ctx.obj.color)  # errors are shown where the root is
        return super().invoke(ctx)


class Command(_Taking):
    """A command; its function gets a `Common` first."""


class Group(_Taking, click.Group):
    """Commands below one word; a misspelt one gets a suggestion, and the word alone the help."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """See `click.Group.parse_args`."""
        if not args and not ctx.resilient_parsing:
            click.echo(ctx.get_help())
            ctx.exit()
        return super().parse_args(ctx, args)

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        """See `click.Group.resolve_command`."""
        known = self.list_commands(ctx)
        if args and args[0] not in known and not args[0].startswith("-") and not ctx.resilient_parsing:
            words = " ".join((*ctx.command_path.split()[1:], args[0]))
            raise UsageError(f'there is no command "{words}"', did_you_mean(args[0], known))
        return super().resolve_command(ctx, args)


class Lazy(Group):
    """A group whose commands are modules of its name, imported when they are run, not when they are listed."""

    package: str
    """Where the modules are."""
    shorts: Mapping[str, str]
    """Every command with its short help, in the order of a day's work."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """See `click.Group.list_commands`."""
        return list(self.shorts)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """See `click.Group.get_command`."""
        if cmd_name not in self.shorts:
            return None
        name = f"{cmd_name}_" if iskeyword(cmd_name) else cmd_name
        found: click.Command = import_module(f"{self.package}.{name}").command
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """See `click.Group.format_commands`: without importing a command."""
        with formatter.section("Commands"):
            formatter.write_dl(list(self.shorts.items()))


def formats(*names: str) -> Callable[[Any], Any]:
    """The option `--format` with these choices, the first by default."""
    return click.option(
        "--format",
        "format_",
        type=OneOf(names),
        default=names[0],
        show_default=True,
        help="Form of the output.",
    )


def _environments(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """What a shell offers for `--env`; nothing outside a project."""
    from keywright.project.environment import environment_names
    from keywright.project.settings import read_settings

    with contextlib.suppress(UsageError, DeclarationError):
        project = ctx.find_root().params.get("project") or ctx.params.get("project")
        return [name for name in environment_names(read_settings(project)) if name.startswith(incomplete)]
    return []
