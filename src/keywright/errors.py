"""The kinds of error that users see, each with its exit code."""

from collections.abc import Generator, Iterable, Set
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

from keywright.record import Record

T = TypeVar("T")


class Place(Record):
    """A place in a file that the user wrote."""

    file: str
    """Path of the file, absolute except in output."""
    line: int
    """Line, from 1; 0 if only the file is known."""

    def __str__(self) -> str:
        return f"{self.file}:{self.line}" if self.line else self.file


NOWHERE = Place("", 0)
"""The place of an object without a file."""


class KeywrightError(Exception):
    """An error that a user can correct: a one-sentence problem, and a help line with the correction."""

    exit_code = 2
    """The exit code of the command line; docs/reference/exit-codes.md lists them."""

    def __init__(self, problem: str, help: str = "") -> None:
        super().__init__(problem)
        self.problem, self.help = problem, help

    def __str__(self) -> str:
        return self.problem + (f"\n  help: {self.help}" if self.help else "")


class UsageError(KeywrightError):
    """A command that cannot run with the given arguments."""


class Unavailable(KeywrightError):
    """A store, a tool or an extra that the command needs is missing or unreachable."""

    exit_code = 3


class NoHistory(KeywrightError):
    """No migration was applied yet, so there is nothing to compare with."""

    exit_code = 1


class Blocked(KeywrightError):
    """Another process has the lock that the command needs; a later attempt can succeed."""

    exit_code = 4


class NeedsDecision(KeywrightError):
    """A decision for a person, such as about an existing object with a different definition."""

    exit_code = 5


class DeclarationError(KeywrightError):
    """A compile error in a declaration or setting, with its code and place."""

    def __init__(self, code: str, problem: str, at: Place = NOWHERE, help: str = "", subject: str = "") -> None:
        super().__init__(problem, help)
        self.code, self.at, self.subject = code, at, subject

    def __str__(self) -> str:
        place = " ".join(part for part in (str(self.at), self.subject) if part)
        text = f"{place + ': ' if place else ''}error[{self.code}]: {self.problem}"
        return text + (f"\n  help: {self.help}" if self.help else "")


class DeclarationErrors(ExceptionGroup[DeclarationError]):
    """All compile errors of a project, raised once; models that do not compile are exit code 2."""

    exit_code = 2


_gathered: ContextVar[list[DeclarationError] | None] = ContextVar("gathered", default=None)
"""The list that collects declaration errors; one for each thread and task, so that loads do not mix their errors."""


@contextmanager
def gathering() -> Generator[list[DeclarationError], None, None]:
    """Collect declaration errors instead of raising them, so that a load reports all at once."""
    errors: list[DeclarationError] = []
    token = _gathered.set(errors)
    try:
        yield errors
    finally:
        _gathered.reset(token)


def report(error: DeclarationError) -> None:
    """Raise the error, or add it to the list while `gathering`."""
    errors = _gathered.get()
    if errors is None:
        raise error
    errors.append(error)


def quoted(names: Iterable[object]) -> str:
    """The names in the form of messages: quoted, separated by commas; those of a set sorted."""
    return ", ".join(f'"{name}"' for name in _in_order(names))


_FEW = 5
"""Names in a help line that says how to list all."""


def did_you_mean(word: str, names: Iterable[str], command: str = "") -> str:
    """A help line with the closest name, else with all names, or with a few if a command lists all.

    command: the command, such as `keywright rules`.
    """
    ordered_names = _in_order(names)
    if (close := closest(word, ordered_names)) is not None:
        return f'did you mean "{close}"?'
    if command and len(ordered_names) > 2 * _FEW:
        few = quoted(ordered_names[:_FEW])
        return f"known: {few}, and {len(ordered_names) - _FEW} more; `{command}` lists all"
    return f"known: {quoted(ordered_names) or 'none'}"


def closest(word: str, names: Iterable[str]) -> str | None:
    """The closest name; None if none is similar."""
    import difflib  # needed only for errors

    return next(iter(difflib.get_close_matches(word, _in_order(names), n=1)), None)


def _in_order(names: Iterable[T]) -> list[T]:
    """The names in their order; those of a set, whose order differs between processes, sorted."""
    return sorted(names, key=str) if isinstance(names, Set) else list(names)
