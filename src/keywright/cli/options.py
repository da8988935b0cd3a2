"""Options that every command takes, before its name or after it."""

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Literal, cast

import click


@dataclass(frozen=True, slots=True)
class Common:
    """What the common options say."""

    project: str | None = None
    """Folder of the project; None for the nearest one."""
    env: str | None = None
    """Environment; None for the project's default."""
    color: Literal["auto", "always", "never"] = "auto"
    """Whether to colour."""
    verbosity: int = 0
    """-1 quiet, 0 normal, 1 verbose."""


def _project() -> click.Option:
    return click.Option(["--project"], metavar="DIR", help="Folder of the project; by default the nearest one above.")


def _env() -> click.Option:
    return click.Option(["--env"], metavar="ENV", help="Environment; by default the project's default one.")


def _color() -> click.Option:
    return click.Option(["--color"], type=click.Choice(["auto", "always", "never"]), help="When to colour the output.")


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


class Command(click.Command):
    """A command that takes the common options too, and hands its function a `Common` first."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("context_settings", {"help_option_names": ["-h", "--help"]})
        super().__init__(*args, **kwargs)
        self.params += [option() for option in GLOBALS]

    def invoke(self, ctx: click.Context) -> Any:
        """See `click.Command.invoke`."""
        values = {key: ctx.params.pop(key, None) for key in ("project", "env", "color", "quiet", "verbose")}
        ctx.obj = common(cast(Common, ctx.obj or Common()), values)
        if ctx.obj.color != "auto":
            ctx.color = ctx.obj.color == "always"
        elif os.environ.get("NO_COLOR"):
            ctx.color = False
        return super().invoke(ctx)


def formats(*names: str) -> Callable[[Any], Any]:
    """The option `--format` with these choices, the first by default."""
    return click.option(
        "--format",
        "format_",
        type=click.Choice(list(names)),
        default=names[0],
        show_default=True,
        help="Form of the output.",
    )
