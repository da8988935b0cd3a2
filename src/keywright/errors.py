"""The kinds of error that reach a user, each with its exit code; the bottom layer, standard library only."""

from collections.abc import Generator, Iterable
from contextlib import contextmanager
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a file that the user wrote."""

    file: str
    """Path of the file, absolute until it is shown."""
    line: int
    """Line, from 1; 0 where only the file is known."""

    def __str__(self) -> str:
        return f"{self.file}:{self.line}" if self.line else self.file


NOWHERE = Place("", 0)
"""The place of what stands in no file."""


class KeywrightError(Exception):
    """Anything that a user can put right: one sentence, and a help line with what to do."""

    exit_code = 2
    """What the command line exits with; docs/reference/exit-codes.md lists them."""

    def __init__(self, problem: str, help: str = "") -> None:
        super().__init__(problem)
        self.problem, self.help = problem, help

    def __str__(self) -> str:
        return self.problem + (f"\n  help: {self.help}" if self.help else "")


class UsageError(KeywrightError):
    """A command that cannot be carried out as it was given."""


class Unavailable(KeywrightError):
    """A store, a tool or an extra that the command needs is not there."""

    exit_code = 3


class Blocked(KeywrightError):
    """Somebody else holds what the command needs; trying again later may do."""

    exit_code = 4


class NeedsDecision(KeywrightError):
    """Something that only a person may decide, such as an object that is there but differs."""

    exit_code = 5


class DeclarationError(KeywrightError):
    """A declaration or setting that is not legal, with the code of its page and its place."""

    def __init__(self, code: str, problem: str, at: Place = NOWHERE, help: str = "", subject: str = "") -> None:
        super().__init__(problem, help)
        self.code, self.at, self.subject = code, at, subject

    def __str__(self) -> str:
        place = " ".join(part for part in (str(self.at), self.subject) if part)
        text = f"{place + ': ' if place else ''}error[{self.code}]: {self.problem}"
        return text + (f"\n  help: {self.help}" if self.help else "")


class DeclarationErrors(ExceptionGroup[DeclarationError]):
    """All that is wrong with a project, raised once; models that do not compile are exit code 2."""

    exit_code = 2


_gathered: list[DeclarationError] | None = None


@contextmanager
def gathering() -> Generator[list[DeclarationError], None, None]:
    """Collect declaration errors in place of raising them, so that a load reports all at once."""
    global _gathered
    before, _gathered = _gathered, []
    try:
        yield _gathered
    finally:
        _gathered = before


def report(error: DeclarationError) -> None:
    """Raise the error, or add it to the list while `gathering`."""
    if _gathered is None:
        raise error
    _gathered.append(error)


def quoted(names: Iterable[object]) -> str:
    """The names as messages show them: quoted, separated by commas."""
    return ", ".join(f'"{name}"' for name in names)


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """The closest known word as a help line, else all known words."""
    import difflib  # needed only when something is wrong

    known = list(known)
    close = difflib.get_close_matches(word, known, n=1)
    return f'did you mean "{close[0]}"?' if close else f"known: {quoted(known)}"
