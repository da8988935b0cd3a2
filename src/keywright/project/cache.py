"""Remembers the last compile: whether any file that it read or wrote has changed since, asked before all imports.

As git's index does, a file whose size, times and inode are as before is taken as unchanged; one that changed, or that
was so young that a later write could have kept its times, is hashed. Libraries are not hashed: a changed one is
changed. What changed while the compile ran may have been read before or after: then nothing is remembered.
"""

import json
import os
import sys
from collections.abc import Iterable, Mapping

FORMAT = 3
RACY_NS = 2_000_000_000
"""A file changed so shortly before the cache was written may have been changed again within the clock's grain."""

GRAIN_NS = 20_000_000
"""How far the file system's clock may lag behind the program's."""

SEARCHED = [os.path.abspath(path) for path in sys.path]
"""Where modules are searched for, before a project's import roots are added."""

Entry = list[object]
"""[path, size, modified at, changed at in ns, inode, SHA-256 or nothing]."""


def path_of(root: str, key: str) -> str:
    """The cache's file for one answer about a project."""
    return os.path.join(root, ".keywright", "cache", f"{key}.json")


def recalled(root: str, key: str, tool: str) -> str | None:
    """What was said when the compile that was remembered under the key ended; None if it would be another today."""
    try:
        with open(path_of(root, key), "rb") as file:
            known = json.load(file)
        if [known[part] for part in ("format", "tool", "searched")] != [FORMAT, identity(tool), SEARCHED]:
            return None
        if known["day"] not in (None, today()):
            return None
        written = known["written"]
        is_same = all(_is_same(entry, written) for entry in known["files"]) and all(
            _folder(path) == entries for path, entries in known["folders"]
        )
        return str(known["said"]) if is_same else None
    except (OSError, ValueError, LookupError, TypeError):  # not ours, or cut off
        return None


def is_fresh(root: str, key: str, tool: str) -> bool:
    """Whether the compile that was remembered under the key would read and write the same today."""
    return recalled(root, key, tool) is not None


def today() -> str:
    """The day, as what is accepted until a day is judged by it."""
    from time import strftime

    return strftime("%Y-%m-%d")


def remember(
    root: str,
    key: str,
    tool: str,
    *,
    begun: int,
    read: Iterable[str],
    made: Mapping[str, str],
    libraries: Iterable[str],
    folders: Iterable[str],
    said: str = "",
    is_of_today: bool = False,
) -> None:
    """Write down all that a compile read or wrote, and the folders whose entries it depends on; or nothing, if any of
    it has changed since.

    begun: when it began, in ns since the epoch; read: files of the project; made: the text of each file that it made,
    by path; libraries: code from elsewhere; said: what it ended with; is_of_today: whether that may be another
    tomorrow. All paths are absolute.
    """
    from hashlib import sha256
    from pathlib import Path
    from time import time_ns

    from keywright.errors import UsageError

    from .files import write

    entries: list[Entry] = []
    written, own = time_ns(), {*read, *made}
    for path in sorted({*own, *libraries}):
        try:
            state = os.stat(path)
            digest = _digest(path) if path in own else ""
        except OSError:
            return  # a file that is gone already
        if path in made:
            if digest != sha256(made[path].encode()).hexdigest():
                return
        elif state.st_ctime_ns > begun - GRAIN_NS:
            return
        entries.append([path, state.st_size, state.st_mtime_ns, state.st_ctime_ns, state.st_ino, digest])
    known = {
        "format": FORMAT,
        "tool": identity(tool),
        "searched": SEARCHED,
        "written": written,
        "said": said,
        "day": today() if is_of_today else None,
        "files": entries,
        "folders": [[path, _folder(path)] for path in sorted({*folders, *SEARCHED})],
    }
    try:
        write(Path(path_of(root, key)), json.dumps(known))
    except UsageError:
        return  # a project that is read-only: the next compile takes as long as this one


def identity(tool: str) -> str:
    """Version of the tool and of the Python that runs it."""
    return f"{tool} {sys.version}"


def _is_same(entry: Entry, written: int) -> bool:
    path, size, modified, changed, inode, digest = entry
    assert isinstance(path, str)
    assert isinstance(changed, int)
    state = os.stat(path)
    if state.st_size != size:
        return False
    is_known = [state.st_mtime_ns, state.st_ctime_ns, state.st_ino] == [modified, changed, inode]
    if not digest:
        return is_known
    return (is_known and changed < written - RACY_NS) or _digest(path) == digest


def _digest(path: str) -> str:
    from hashlib import sha256  # only what is young or touched is hashed

    with open(path, "rb") as file:
        return sha256(file.read()).hexdigest()


def _folder(path: str) -> list[str] | None:
    """Names of what could be imported or compiled from a folder; None if there is no such folder."""
    try:
        names = os.listdir(path)
    except OSError:
        return None
    return sorted(name for name in names if not name.startswith((".", "__pycache__")))
