"""The entry point: answers a no-change check before anything is imported, and turns errors into exit codes."""

import errno
import os
import sys

WRONG = 2
INTERRUPTED = 130
BUG = 70

OUTSIDE = frozenset(
    getattr(errno, name)
    for name in ("EACCES", "EPERM", "EROFS", "ENOSPC", "EDQUOT", "EIO", "ENOTDIR", "EISDIR", "EEXIST", "EMFILE")
)
"""What a file system may refuse however right the program is."""


def main() -> None:
    """Run the command line and exit."""
    code = run(sys.argv[1:])
    import signal

    signal.signal(signal.SIGINT, signal.SIG_DFL)  # all is done: Ctrl-C while libraries end is no error of theirs
    sys.exit(code)


def run(arguments: list[str]) -> int:
    """Carry out one command line and return its exit code; nothing is raised."""
    try:
        from .fresh import answer  # within, so that Ctrl-C is caught from the start

        if (text := answer(arguments)) is not None:
            print(text, flush=True)  # noqa: T201
            return 0
        return _dispatch(arguments)
    except KeyboardInterrupt:
        _tell("interrupted")
        return INTERRUPTED
    except BrokenPipeError:  # the reader has seen enough, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as bug:  # noqa: BLE001  # the edge of the program: a bug is one line and a log
        if isinstance(bug, OSError) and bug.errno in OUTSIDE:
            return _refused(bug)
        return _bug(bug, arguments)


def _dispatch(arguments: list[str]) -> int:
    import gc

    import click
    from click.shell_completion import shell_complete

    from keywright.errors import DeclarationError, DeclarationErrors, KeywrightError

    from .app import app
    from .fresh import COMPLETE
    from .options import is_coloured
    from .say import say_error, say_errors
    from .usage import usage_error

    gc.set_threshold(1_000_000)  # a compile makes many small values and hardly a cycle
    if instruction := os.environ.get(COMPLETE):
        return shell_complete(app, {}, "keywright", COMPLETE, instruction)
    with click.Context(app, info_name="keywright", color=is_coloured("auto")) as context:
        try:
            app.parse_args(context, arguments)
            code = app.invoke(context)
        except click.exceptions.Exit as done:
            return done.exit_code
        except click.Abort:
            raise KeyboardInterrupt from None
        except click.ClickException as error:
            say_error(usage_error(error))
            return WRONG
        except DeclarationErrors as errors:
            say_errors(errors.exceptions)
            return errors.exit_code
        except DeclarationError as one:
            say_errors([one])
            return one.exit_code
        except KeywrightError as problem:
            say_error(problem)
            return problem.exit_code
    return code if isinstance(code, int) else 0


def _refused(error: OSError) -> int:
    """A disk that is full or a folder that must not be written: a traceback would tell nothing more."""
    place = f'"{error.filename}"' if error.filename else "the output"
    why = (error.strerror or type(error).__name__).lower()
    _tell(f"error: cannot use {place}: {why}\n  help: free the place, or give this user the right to it")
    return WRONG


def _bug(bug: Exception, arguments: list[str]) -> int:
    """One line, and the traceback in the project's folder; where there is none, in this one."""
    import traceback

    from .fresh import project_root

    folder = os.path.join(project_root(arguments) or ".", ".keywright")
    log = os.path.join(folder, "crash.log")
    try:
        os.makedirs(folder, exist_ok=True)
        with open(log, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write(f"keywright {' '.join(arguments)}\n{''.join(traceback.format_exception(bug))}\n")
        where = f"the traceback is in {os.path.relpath(log)}"
    except OSError:
        where = f"the traceback could not be written to {os.path.relpath(log)}"
    words = " ".join(str(bug).split())
    _tell(f"bug in keywright: {type(bug).__name__}{': ' if words else ''}{words}; {where}")
    return BUG


def _tell(text: str) -> None:
    """A line to stderr, which may be closed or full: then nobody can be told."""
    from contextlib import suppress

    with suppress(OSError):
        print(text, file=sys.stderr, flush=True)  # noqa: T201
