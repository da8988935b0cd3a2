"""Files that appear whole or not at all."""

import os
import tempfile
from pathlib import Path

from keywright.errors import UsageError


def write(path: Path, text: str) -> None:
    """Write a file through a temporary one beside it, so that nobody ever sees half of it."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    except OSError as error:
        raise _cannot(path, error) from None
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        os.chmod(name, 0o666 & ~_umask())
        os.replace(name, path)
    except OSError as error:
        raise _cannot(path, error) from None
    finally:
        if os.path.exists(name):
            os.unlink(name)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _cannot(path: Path, error: OSError) -> UsageError:
    return UsageError(f'cannot write "{path}": {error.strerror}', "free the place, or name another folder with --out")
