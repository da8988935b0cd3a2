"""Removes temporary files of killed commands from the folder of migrations."""

import os
import re
import shutil
from pathlib import Path

_TEMPORARY = re.compile(r"\.(?:\d{4}_[a-z0-9_]+(?:\.old)?|keywright\.sum)\.(\d+)\Z")
"""Name of a temporary or replaced folder, or of the checksum file, with the process's number."""


def clear(path: Path) -> None:
    """Remove temporary files of ended processes and of this process; the folder must be complete."""
    with os.scandir(path) as entries:
        leftovers = [
            (entry.path, entry.is_dir(), int(match[1])) for entry in entries if (match := _TEMPORARY.match(entry.name))
        ]
    for name, is_folder, process in leftovers:
        if process != os.getpid() and _is_alive(process):
            continue
        if is_folder:
            shutil.rmtree(name, ignore_errors=True)
        else:
            Path(name).unlink(missing_ok=True)


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:  # a process of another user
        return True
    return True
