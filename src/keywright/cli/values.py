"""Types of options and arguments, also for names of engines, with errors that suggest the closest valid value."""

from collections.abc import Sequence
from typing import Any

import click

from keywright.engines.registry import NAMES, installed, is_engine
from keywright.errors import UsageError, did_you_mean, quoted

FOLDER = click.Path(file_okay=False)
"""A folder, which need not exist; shells can complete it."""


class Choice(click.Choice):  # type: ignore[type-arg]  # no generic before click 8.2
    """One of several words."""

    def __init__(self, words: Sequence[str]) -> None:
        super().__init__(list(words))

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """See `click.Choice.convert`."""
        if value not in self.choices:
            problem = f'"{display_name(param)}" is "{value}", it takes {quoted(self.choices)}'
            raise UsageError(problem, did_you_mean(value, self.choices))
        return str(value)


class WholeNumber(click.IntRange):
    """A whole number with a minimum."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """See `click.IntRange.convert`."""
        try:
            return int(super().convert(value, param, ctx))
        except click.BadParameter:
            minimum = "" if self.min is None else f" of at least {self.min}"
            problem = f'"{display_name(param)}" is "{value}", it takes a whole number{minimum}'
            raise UsageError(problem, f"such as {100 if self.min else 0}") from None


class Seconds(click.ParamType):  # type: ignore[type-arg]  # no generic before click 8.2
    """A time in seconds, above 0."""

    name = "seconds"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """See `click.ParamType.convert`."""
        try:
            seconds = float(value)
        except ValueError:
            seconds = 0
        if not 0 < seconds < float("inf"):
            raise UsageError(f'"{display_name(param)}" is "{value}", it takes seconds above 0', "such as 60")
        return seconds


def display_name(param: click.Parameter | None) -> str:
    """Name of a parameter for users: the long name of an option, an argument in capitals."""
    if param is None:
        return "value"
    if isinstance(param, click.Option):
        return max(param.opts, key=len)
    return (param.metavar or str(param.name).upper()).strip("[.]")


class EngineName(Choice):
    """The name of an engine of this package or of another package."""

    def __init__(self) -> None:
        super().__init__(NAMES)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """See `click.Choice.convert`."""
        if value in NAMES or is_engine(str(value)):
            return str(value)
        self.choices = tuple(installed())
        return super().convert(value, param, ctx)
