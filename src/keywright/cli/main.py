"""The entry point: answers a no-change check before anything is imported, and turns errors into exit codes."""

import os
import sys
from typing import NoReturn

INTERRUPTED = 130
BUG = 70


def main() -> NoReturn:
    """Run the command line and exit."""
    from .fresh import answer

    if (text := answer(sys.argv[1:])) is not None:
        print(text)  # noqa: T201
        sys.exit(0)
    sys.exit(_run())


def _run() -> int:
    import gc

    import click

    from keywright.errors import DeclarationError, DeclarationErrors, KeywrightError

    from .app import app
    from .say import say_error, say_errors

    gc.set_threshold(100_000)  # a compile makes many small values and hardly a cycle
    try:
        code = app.main(standalone_mode=False, prog_name="keywright")
    except click.exceptions.Exit as done:
        return done.exit_code
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except DeclarationErrors as errors:
        say_errors(errors.exceptions)
        return errors.exit_code
    except DeclarationError as one:
        say_errors([one])
        return one.exit_code
    except KeywrightError as problem:
        say_error(problem)
        return problem.exit_code
    except (KeyboardInterrupt, click.Abort):
        sys.stderr.write("interrupted\n")
        return INTERRUPTED
    except BrokenPipeError:  # the reader has seen enough, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as bug:  # noqa: BLE001  # the edge of the program: a bug is one line and a log
        return _bug(bug)
    return code if isinstance(code, int) else 0


def _bug(bug: Exception) -> int:
    import traceback
    from pathlib import Path

    log = Path(".keywright") / "crash.log"
    text = f"keywright {' '.join(sys.argv[1:])}\n{''.join(traceback.format_exception(bug))}\n"
    try:
        log.parent.mkdir(exist_ok=True)
        log.write_text(text)
        where = f"the traceback is in {log}"
    except OSError:
        where = "the traceback could not be written: run again in a folder that can be written"
    sys.stderr.write(f"bug in keywright: {type(bug).__name__}: {bug}; {where}\n")
    return BUG
