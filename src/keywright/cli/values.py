"""Values of options and arguments; what does not fit is told in keywright's own words, with the closest that does."""

from collections.abc import Sequence
from typing import Any

import click

from keywright.errors import UsageError, did_you_mean, quoted

FOLDER = click.Path(file_okay=False)
"""A folder, which need not exist; shells complete it."""


class OneOf(click.Choice):  # type: ignore[type-arg]  # no generic before click 8.2
    """One of a few words."""

    def __init__(self, words: Sequence[str]) -> None:
        super().__init__(list(words))

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """See `click.Choice.convert`."""
        if value not in self.choices:
            problem = f'"{called(param)}" is "{value}", it takes {quoted(self.choices)}'
            raise UsageError(problem, did_you_mean(value, self.choices))
        return str(value)


class Whole(click.IntRange):
    """A whole number from a smallest one on."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """See `click.IntRange.convert`."""
        try:
            return int(super().convert(value, param, ctx))
        except click.BadParameter:
            least = "" if self.min is None else f" from {self.min} on"
            problem = f'"{called(param)}" is "{value}", it takes a whole number{least}'
            raise UsageError(problem, f"such as {100 if self.min else 0}") from None


def called(param: click.Parameter | None) -> str:
    """How a user names a parameter: an option by its long name, an argument in capitals."""
    if param is None:
        return "value"
    if isinstance(param, click.Option):
        return max(param.opts, key=len)
    return (param.metavar or str(param.name).upper()).strip("[.]")
