"""The entry point: answers from the cache before other imports, and turns errors into exit codes."""

import errno
import os
import sys

WRONG = 2
INTERRUPTED = 130
BUG = 70

SYSTEM_ERRORS = frozenset(
    getattr(errno, name)
    for name in ("EACCES", "EPERM", "EROFS", "ENOSPC", "EDQUOT", "EIO", "ENOTDIR", "EISDIR", "EEXIST", "EMFILE")
)
"""Errors of the file system that are no bug of the program."""


def main() -> None:
    """Run the command line and exit."""
    _open_closed_streams()
    code = run(sys.argv[1:])
    import signal

    signal.signal(
        signal.SIGINT, signal.SIG_DFL
    )  # the command has ended: Ctrl-C while libraries shut down prints no traceback
    sys.exit(code)


def _open_closed_streams() -> None:
    """Connect closed standard streams to the null device, so that no opened file gets their descriptors."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # Python sets None for a descriptor that was closed before it started
            stream = open(os.devnull, mode, encoding="utf-8")  # noqa: SIM115  # open until the process ends
            os.set_inheritable(stream.fileno(), True)  # else the stream is closed in child processes
            setattr(sys, name, stream)


def run(arguments: list[str]) -> int:
    """Run a command line and return its exit code; raise nothing."""
    try:
        from .fast_path import answer  # imported here, so that Ctrl-C is caught from the start

        if (text := answer(arguments)) is not None:
            print(text, flush=True)  # noqa: T201
            return 0
        return _dispatch(arguments)
    except KeyboardInterrupt:
        _print_error("interrupted")
        return INTERRUPTED
    except BrokenPipeError:  # the reader has closed the pipe, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as bug:  # noqa: BLE001  # a bug is reported in one line and a log file
        if isinstance(bug, OSError) and bug.errno in SYSTEM_ERRORS:
            return _system_error(bug)
        if isinstance(bug, UnicodeEncodeError) and bug.reason == "surrogates not allowed":
            return _not_text(bug)
        return _bug(bug, arguments)


def _dispatch(arguments: list[str]) -> int:
    import gc

    import click
    from click.shell_completion import shell_complete

    from keywright.errors import DeclarationError, DeclarationErrors, KeywrightError

    from .app import app
    from .fast_path import COMPLETE
    from .options import is_coloured
    from .output import print_error, print_errors
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
            print_error(usage_error(error))
            return WRONG
        except DeclarationErrors as errors:
            print_errors(errors.exceptions)
            return errors.exit_code
        except DeclarationError as error:
            print_errors([error])
            return error.exit_code
        except KeywrightError as error:
            print_error(error)
            return error.exit_code
    return code if isinstance(code, int) else 0


def _system_error(error: OSError) -> int:
    """Report an error of the file system, such as a full disk, without a traceback."""
    place = f'"{error.filename}"' if error.filename else "the output"
    reason = (error.strerror or type(error).__name__).lower()
    _print_error(f"error: cannot use {place}: {reason}\n  help: free disk space, or give this user permission")
    return WRONG


def _not_text(error: UnicodeEncodeError) -> int:
    """Report half of a surrogate pair, without the text around it, which may be a secret."""
    escape = f"\\u{ord(error.object[error.start]):04x}"
    _print_error(
        f"error: a text contains {escape}, half of a surrogate pair, which UTF-8 cannot encode\n"
        f'  help: search the models, stack files, addresses and arguments for the escape "{escape}"'
    )
    return WRONG


def _bug(bug: Exception, arguments: list[str]) -> int:
    """Report a bug in one line; write the traceback to the project's folder, else to the current folder."""
    import traceback

    from .fast_path import project_root

    folder = os.path.join(project_root(arguments) or ".", ".keywright")
    log = os.path.join(folder, "crash.log")
    try:
        os.makedirs(folder, exist_ok=True)
        with open(log, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write(f"keywright {' '.join(arguments)}\n{''.join(traceback.format_exception(bug))}\n")
        location = f"the traceback is in {os.path.relpath(log)}"
    except OSError:
        location = f"the traceback could not be written to {os.path.relpath(log)}"
    words = " ".join(str(bug).split())
    _print_error(f"bug in keywright: {type(bug).__name__}{': ' if words else ''}{words}; {location}")
    return BUG


def _print_error(text: str) -> None:
    """Print a line to stderr, unless it is closed or full."""
    from contextlib import suppress

    with suppress(OSError):
        print(text, file=sys.stderr, flush=True)  # noqa: T201
