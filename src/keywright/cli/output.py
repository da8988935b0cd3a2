"""Output: results on stdout, messages on stderr, paths relative to the current folder."""

import contextlib
import os
import shutil
import sys
import textwrap
from collections.abc import Sequence

import click

from keywright.errors import DeclarationError, KeywrightError, Place
from keywright.ir.text import counted as counted


def relative(place: Place) -> str:
    """Text of a place, relative to the current folder."""
    file = relative_file(place.file)
    return f"{file}:{place.line}" if place.line else file


def relative_file(file: str) -> str:
    """A path relative to the current folder; unchanged if it is outside."""
    path = os.path.relpath(file) if file else ""
    return file if path.startswith("..") else path


def print_line(text: str = "", *, nl: bool = True) -> None:
    """Print a line of the result or a document; continue if the reader has closed the pipe, as `head` does."""
    try:
        click.echo(text, nl=nl)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def note(text: str) -> None:
    """Print a message to stderr, unless it is closed or full."""
    with contextlib.suppress(OSError):
        click.echo(text, err=True)


def width() -> int | None:
    """Columns of the terminal; None if stdout is not a terminal."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def wrapped(text: str, indent: str) -> list[str]:
    """Lines of a text that fit the terminal, the first without indent; one line if stdout is not a terminal."""
    columns = width()
    if columns is None or len(text) <= columns:
        return [text]
    return textwrap.wrap(
        text, max(columns, 40), subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )


def shortened(text: str) -> str:
    """A line that fits the terminal, with an ellipsis for what does not; unchanged if stdout is not a terminal."""
    columns = width()
    return text if columns is None or len(text) <= columns else f"{text[: columns - 1]}…"


def progress(text: str) -> None:
    """Print a progress line that the next one overwrites; only on a terminal."""
    with contextlib.suppress(OSError):
        if sys.stderr.isatty():
            click.echo(f"\r\033[K{text}", err=True, nl=False)


def print_error(error: KeywrightError) -> None:
    """Print an error with its help line."""
    note(f"{click.style('error', fg='red', bold=True)}: {error.problem}")
    if error.help:
        note(f"  {click.style('help', fg='cyan')}: {error.help}")


def error_lines(error: DeclarationError) -> list[str]:
    """Lines of a declaration error: place, subject, code, message, help."""
    place = " ".join(part for part in (relative(error.at), error.subject) if part)
    code = click.style(f"error[{error.code}]", fg="red", bold=True)
    lines = [f"{click.style(place, bold=True)}: {code}: {error.problem}" if place else f"{code}: {error.problem}"]
    return [*lines, f"  {click.style('help', fg='cyan')}: {error.help}"] if error.help else lines


def print_errors(errors: Sequence[BaseException]) -> None:
    """Print declaration errors with their count."""
    declaration_errors = [error for error in errors if isinstance(error, DeclarationError)]
    for error in declaration_errors:
        for line in error_lines(error):
            note(line)
    if declaration_errors:
        help = f"`keywright explain {declaration_errors[0].code}` explains the first"
        note(f"\n{counted(len(declaration_errors), 'error')}; {help}")


def table(rows: Sequence[Sequence[str]], indent: str = "  ") -> list[str]:
    """Lines of a table with aligned columns; the last column is not padded."""
    if not rows:
        return []
    widths = [max(_width(row[index]) for row in rows) for index in range(len(rows[0]))]
    padded = (
        [cell + " " * (width - _width(cell)) for cell, width in zip(row[:-1], widths, strict=False)] + [row[-1]]
        for row in rows
    )
    return [f"{indent}{'  '.join(row)}".rstrip() for row in padded]


def _width(cell: str) -> int:
    return len(click.unstyle(cell))
