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

UNKNOWN_WIDTH = 80
"""Columns of a terminal that does not report its width."""


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


def width(*, err: bool = False) -> int | None:
    """Columns of the terminal; None if stdout is not a terminal.

    err: whether the text is for stderr.
    """
    stream = sys.stderr if err else sys.stdout
    if not stream.isatty():
        return None
    size = os.get_terminal_size(stream.fileno())
    return shutil.get_terminal_size((size.columns or UNKNOWN_WIDTH, size.lines)).columns


def wrapped(text: str, indent: str, *, err: bool = False) -> list[str]:
    """Lines of a text that fit the terminal, the first without indent; one line if the stream is not a terminal."""
    columns = width(err=err)
    if columns is None:
        return [text]
    wrapper = textwrap.TextWrapper(
        max(columns, 40), subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )
    return [part for line in text.split("\n") for part in (wrapper.wrap(line) if len(line) > columns else (line,))]


def message_lines(
    place: str, code: str, text: str, help: str, colour: str, *, excerpt: Sequence[str] = (), err: bool = False
) -> list[str]:
    """Lines of a finding or compile error: place, code and text, then the excerpt, then the help.

    err: whether the lines are for stderr.
    """
    first = "\n".join(wrapped(f"{place}: {code}{text}" if place else f"{code}{text}", indent="    ", err=err))
    first = first.replace(code, click.style(code, fg=colour, bold=True), 1)
    if place:
        first = first.replace(place, click.style(place, bold=True), 1)
    return [*first.split("\n"), *excerpt, *(_help_lines(help, err=err) if help else [])]


def _help_lines(help: str, *, err: bool) -> list[str]:
    first, *others = wrapped(f"  help: {help}", indent="        ", err=err)
    return [first.replace("help", click.style("help", fg="cyan"), 1), *others]


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
    for line in message_lines("", "error", f": {error.problem}", error.help, "red", err=True):
        note(line)


def error_lines(error: DeclarationError, *, err: bool = False) -> list[str]:
    """Lines of a declaration error: place, subject, code, message, help.

    err: whether the lines are for stderr.
    """
    place = " ".join(part for part in (relative(error.at), error.subject) if part)
    return message_lines(place, f"error[{error.code}]", f": {error.problem}", error.help, "red", err=err)


def print_errors(errors: Sequence[BaseException]) -> None:
    """Print declaration errors with their count."""
    declaration_errors = [error for error in errors if isinstance(error, DeclarationError)]
    for error in declaration_errors:
        for line in error_lines(error, err=True):
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
