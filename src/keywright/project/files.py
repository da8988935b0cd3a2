"""Writes files atomically."""

import contextlib
import json
import os
from pathlib import Path

from keywright.errors import UsageError
from keywright.ir.text import one_line


def write(path: Path, text: str) -> None:
    """Write a file through a temporary file beside it, so that no reader sees an incomplete file.

    Raises UsageError if the path cannot be written.
    """
    temporary = f"{path.parent}{os.sep}.{path.name}.{os.getpid()}"
    try:
        try:
            _write(temporary, text)
        except FileNotFoundError:
            path.parent.mkdir(parents=True, exist_ok=True)
            _write(temporary, text)
        os.replace(temporary, path)
    except BaseException as error:  # Ctrl-C too must not leave the temporary file
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        if not isinstance(error, OSError):
            raise
        help = "check the folder's permissions and the free space of the disk"
        raise UsageError(f'cannot write "{path}": {str(error.strerror).lower()}', help) from None


def quoted(text: str) -> str:
    """A text in the double quotes that TOML and YAML share."""
    return one_line(json.dumps(text, ensure_ascii=False))


def _write(path: str, text: str) -> None:
    with open(path, "w", encoding="utf-8", newline="\n") as file:
        file.write(text)
