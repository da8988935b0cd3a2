"""Limits the effects of importing a model file: its output, its exits and its time.

Only the command line sets limits, since an application that opens its stores owns its output and its signals. There is
no child process, because commands must start in a fraction of a second.
"""

import faulthandler
import os
import signal
import sys
import threading
from collections.abc import Generator, Iterator
from contextlib import contextmanager, redirect_stdout, suppress
from contextvars import ContextVar
from types import FrameType
from typing import NoReturn

from keywright.ir.text import counted
from keywright.record import Record

PATIENCE_SECONDS = 5
"""Seconds beyond the limit that C code may block Python before the process ends."""

_exit = os._exit

TRIES = 3
"""Number of times that the timeout is raised, a second apart, in a file that catches every exception."""


class NotImported(BaseException):
    """A model file was not imported. `except Exception` in the file does not catch this error."""

    def __init__(self, problem: str, help: str) -> None:
        super().__init__(problem)
        self.problem, self.help = problem, help


class ImportLimits(Record):
    """The import limits of a program."""

    seconds: float | None = None
    """Time limit for the import of a file; None for the project's setting."""


_bounds: ContextVar[ImportLimits | None] = ContextVar("bounds", default=None)


@contextmanager
def bounded(seconds: float | None = None) -> Iterator[None]:
    """Within the block, imports of model files are limited.

    seconds: time limit of each file; by default the project's setting.
    """
    token = _bounds.set(ImportLimits(seconds))
    try:
        yield
    finally:
        _bounds.reset(token)


@contextmanager
def importing(file: str, usual_seconds: float) -> Iterator[None]:
    """Import one file within the limits, if any; raises NotImported if the file ends the process or takes too long.

    usual_seconds: time limit if the command line sets none.
    """
    bounds = _bounds.get()
    if bounds is None:
        yield
        return
    with _output_to_errors(), _without_exit(), _own_interrupts(), _within(bounds.seconds or usual_seconds, file):
        yield


@contextmanager
def _output_to_errors() -> Iterator[None]:
    """Redirect output to stderr, also of child processes and C code, because stdout is for the command's result."""
    with suppress(OSError, ValueError, AttributeError):  # None if it was closed before Python started
        sys.stdout.flush()
    try:
        dup = os.dup(1)
    except OSError:  # stdout is closed
        dup = -1
    try:
        with suppress(OSError):
            os.dup2(2, 1)
        with redirect_stdout(sys.stderr):
            yield
    finally:
        with suppress(OSError, ValueError, AttributeError):
            sys.stderr.flush()
        if dup >= 0:
            os.dup2(dup, 1)
            os.close(dup)
        else:
            with suppress(OSError):
                os.close(1)


@contextmanager
def _without_exit() -> Iterator[None]:
    """Replace `os._exit`, which would end the command silently, by an error of the file."""

    def leave(status: int = 0) -> NoReturn:
        help = "a model file must only declare: guard code that runs with `if __name__ == '__main__':`"
        raise NotImported(f"it ends the process with os._exit({status})", help)

    original_exit, os._exit = os._exit, leave
    try:
        yield
    finally:
        os._exit = original_exit


@contextmanager
def _own_interrupts() -> Iterator[None]:
    """Turn a KeyboardInterrupt without a signal into an error of the file."""
    handler = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(handler):
        yield
        return
    received: list[int] = []

    def interrupt(number: int, frame: FrameType | None) -> None:
        received.append(number)
        handler(number, frame)

    signal.signal(signal.SIGINT, interrupt)
    try:
        yield
    except KeyboardInterrupt as error:
        if received:
            raise
        help = "a model file must only declare: remove the code that ends the program"
        raise NotImported("it raises KeyboardInterrupt", help).with_traceback(error.__traceback__) from None
    finally:
        signal.signal(signal.SIGINT, handler)


@contextmanager
def _within(seconds: float, file: str) -> Generator[None, None, None]:
    """Raise NotImported after the time limit. Signals reach only the main thread, and exist only on some systems."""
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        yield
        return
    timeouts: list[float] = []
    problem = f"it did not finish within {counted(seconds, 'second', spec='g')}"

    def raise_timeout(number: int, frame: FrameType | None) -> None:
        timeouts.append(seconds)
        if len(timeouts) > TRIES:
            message = f"error[E0101]: {file} does not import: {problem}\n"
            os.write(2, message.encode(errors="backslashreplace"))
            _exit(2)
        help = "a model file must only declare: remove code that waits or runs, or raise --import-timeout"
        raise NotImported(problem, help)

    handler = signal.signal(signal.SIGALRM, raise_timeout)
    timer = signal.setitimer(signal.ITIMER_REAL, seconds, 1)
    if sys.__stderr__ is not None:
        with suppress(OSError, ValueError):
            faulthandler.dump_traceback_later(seconds + TRIES + PATIENCE_SECONDS, exit=True, file=sys.__stderr__)
    try:
        yield
    finally:
        faulthandler.cancel_dump_traceback_later()
        signal.setitimer(signal.ITIMER_REAL, *timer)
        signal.signal(signal.SIGALRM, handler)
