"""Remembers the last compile: whether any file that it read or wrote has changed since, asked before all imports.

As git's index does, a file whose size, time and inode are as before is taken as unchanged; one that changed, or that
was so young that a later write could have kept its time, is hashed. Libraries are not hashed: a changed one is changed.
"""

import json
import os
import sys
from collections.abc import Iterable

FORMAT = 1
RACY_NS = 2_000_000_000
"""A file modified so shortly before the cache was written may have been modified again within the clock's grain."""

STARTED_WITH = tuple(sys.path[1:])
"""Where modules are searched for, before a project's import roots are added; the first place is the program's own."""

Entry = list[object]
"""[path, size, modified at in ns, inode, SHA-256 or nothing]."""


def path_of(root: str, key: str) -> str:
    """The cache's file for one compile of a project."""
    return os.path.join(root, ".keywright", "cache", f"compile-{key}.json")


def is_fresh(root: str, key: str, tool: str) -> bool:
    """Whether the compile that was remembered under the key would read and write the same today."""
    try:
        with open(path_of(root, key), "rb") as file:
            known = json.load(file)
    except (OSError, ValueError):
        return False
    if known.get("format") != FORMAT or known.get("tool") != identity(tool) or known.get("searched") != [*STARTED_WITH]:
        return False
    written = known["written"]
    return all(_is_same(entry, written) for entry in known["files"]) and all(
        _folder(path) == entries for path, entries in known["folders"]
    )


def remember(
    root: str, key: str, tool: str, files: Iterable[str], libraries: Iterable[str], folders: Iterable[str]
) -> None:
    """Write down all that a compile read or wrote, and the folders whose entries it depends on.

    files: those of the project; libraries: code from elsewhere.
    """
    from hashlib import sha256
    from pathlib import Path
    from time import time_ns

    from .files import write

    entries: list[Entry] = []
    written, own = time_ns(), set(files)
    for path in sorted({*own, *libraries}):
        try:
            state = os.stat(path)
            digest = sha256(_bytes(path)).hexdigest() if path in own else ""
            entries.append([path, state.st_size, state.st_mtime_ns, state.st_ino, digest])
        except OSError:
            return  # a file that is gone already: nothing is worth remembering
    known = {
        "format": FORMAT,
        "tool": identity(tool),
        "searched": STARTED_WITH,
        "written": written,
        "files": entries,
        "folders": [[path, _folder(path)] for path in sorted(set(folders))],
    }
    write(Path(path_of(root, key)), json.dumps(known))


def identity(tool: str) -> str:
    """Version of the tool and of the Python that runs it."""
    return f"{tool} {sys.version}"


def _is_same(entry: Entry, written: int) -> bool:
    path, size, modified, inode, digest = entry
    assert isinstance(path, str)
    assert isinstance(modified, int)
    try:
        state = os.stat(path)
    except OSError:
        return False
    if state.st_size != size:
        return False
    if (state.st_mtime_ns, state.st_ino) == (modified, inode) and (modified < written - RACY_NS or not digest):
        return True
    if not digest:
        return False
    from hashlib import sha256

    return sha256(_bytes(path)).hexdigest() == digest


def _folder(path: str) -> list[str] | None:
    """Names of what could be imported or compiled from a folder; None if there is no such folder."""
    try:
        names = os.listdir(path)
    except OSError:
        return None
    return sorted(name for name in names if not name.startswith((".", "__pycache__")))


def _bytes(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()
