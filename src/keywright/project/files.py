"""Files that appear whole or not at all."""

import contextlib
import os
from pathlib import Path

from keywright.errors import UsageError


def write(path: Path, text: str) -> None:
    """Write a file through a temporary one beside it, so that nobody ever sees half of it.

    Raises UsageError when the place cannot be written.
    """
    beside = f"{path.parent}{os.sep}.{path.name}.{os.getpid()}"
    try:
        try:
            _write(beside, text)
        except FileNotFoundError:
            path.parent.mkdir(parents=True, exist_ok=True)
            _write(beside, text)
        os.replace(beside, path)
    except BaseException as error:  # Ctrl-C too must not leave the temporary file
        with contextlib.suppress(OSError):
            os.unlink(beside)
        if not isinstance(error, OSError):
            raise
        help = "free the place, or make its folder one that can be written"
        raise UsageError(f'cannot write "{path}": {str(error.strerror).lower()}', help) from None


def _write(path: str, text: str) -> None:
    with open(path, "w", encoding="utf-8", newline="\n") as file:
        file.write(text)
