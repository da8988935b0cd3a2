"""How things are said: results to stdout, messages to stderr, places relative to where the user stands."""

import contextlib
import os
import sys
from collections.abc import Sequence

import click

from keywright.errors import DeclarationError, KeywrightError, Place


def relative(place: Place) -> str:
    """A place as the user would name it from here."""
    shown = relative_file(place.file)
    return f"{shown}:{place.line}" if place.line else shown


def relative_file(file: str) -> str:
    """A path from here; one that is not below here stays absolute."""
    path = os.path.relpath(file) if file else ""
    return file if path.startswith("..") else path


def say(text: str = "", *, nl: bool = True) -> None:
    """A line of the result, or a whole document; the work goes on when its reader has gone, as `head` does."""
    try:
        click.echo(text, nl=nl)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def note(text: str) -> None:
    """A line about what is going on; lost if stderr is closed or full."""
    with contextlib.suppress(OSError):
        click.echo(text, err=True)


def progress(text: str) -> None:
    """A line of which the next one takes the place; nothing where nobody watches."""
    with contextlib.suppress(OSError):
        if sys.stderr.isatty():
            click.echo(f"\r\033[K{text}", err=True, nl=False)


def say_error(error: KeywrightError) -> None:
    """One problem with its help line."""
    note(f"{click.style('error', fg='red', bold=True)}: {error.problem}")
    if error.help:
        note(f"  {click.style('help', fg='cyan')}: {error.help}")


def error_lines(error: DeclarationError) -> list[str]:
    """A declaration error as lines: place, subject, code, sentence, help."""
    place = " ".join(part for part in (relative(error.at), error.subject) if part)
    code = click.style(f"error[{error.code}]", fg="red", bold=True)
    lines = [f"{click.style(place, bold=True)}: {code}: {error.problem}" if place else f"{code}: {error.problem}"]
    return [*lines, f"  {click.style('help', fg='cyan')}: {error.help}"] if error.help else lines


def say_errors(errors: Sequence[BaseException]) -> None:
    """Declaration errors, sorted by place, and how to read more."""
    found = [error for error in errors if isinstance(error, DeclarationError)]
    for error in found:
        for line in error_lines(error):
            note(line)
    if found:
        note(f"\n{counted(len(found), 'error')}; `keywright explain {found[0].code}` tells more about the first")


def table(rows: Sequence[Sequence[str]], indent: str = "  ") -> list[str]:
    """Rows with aligned columns; the last column is not padded."""
    if not rows:
        return []
    widths = [max(_wide(row[at]) for row in rows) for at in range(len(rows[0]))]
    padded = (
        [cell + " " * (width - _wide(cell)) for cell, width in zip(row[:-1], widths, strict=False)] + [row[-1]]
        for row in rows
    )
    return [f"{indent}{'  '.join(row)}".rstrip() for row in padded]


def counted(number: int, one: str, many: str = "") -> str:
    """A number with its noun: `1 table`, `3 tables`."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def _wide(cell: str) -> int:
    return len(click.unstyle(cell))
