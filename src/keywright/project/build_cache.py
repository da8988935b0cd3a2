"""Caches the answer of the last compile until a file that it read or wrote changes; read before all imports.

As in git's index, a file with unchanged size, times and inode counts as unchanged. A file that changed, or that was
written so recently that a later write could have kept its times, is hashed. Libraries are not hashed: a library with
another size, time or inode counts as changed. A file that changed during the compile may have been read before or
after the change, so nothing is cached then.

An answer is sealed with a key of this user, which is stored outside of all projects: an answer that came with a
repository, in whichever folder, is ignored.
"""

import json
import os
import sys
from collections.abc import Iterable, Mapping

FORMAT = 4
RACY_NS = 2_000_000_000
"""A file that changed this shortly before the cache was written may have changed again within one tick of the clock."""

GRAIN_NS = 20_000_000
"""The largest lag of the file system's clock behind the program's."""

SEARCHED = [os.path.abspath(path) for path in sys.path]
"""The search path of modules, before a project's import roots are added."""

FileEntry = list[object]
"""[path, size, modified at, changed at in ns, inode, SHA-256 or empty text]."""


def path_of(root: str, key: str) -> str:
    """The cache file of one answer about a project."""
    return os.path.join(root, ".keywright", "cache", f"{key}.json")


def cached_answer(root: str, key: str, tool: str) -> str | None:
    """The cached answer of a key; None if it may be out of date."""
    try:
        with open(path_of(root, key), "rb") as file:
            seal, _, text = file.read().partition(b"\n")
        with open(_key_file(), "rb") as file:
            if seal != _seal(text, file.read()):
                return None
        document = json.loads(text)
        if [document[part] for part in ("format", "tool", "searched")] != [FORMAT, identity(tool), SEARCHED]:
            return None
        if document["day"] not in (None, today()):
            return None
        written = document["written"]
        is_same = all(_is_same(entry, written) for entry in document["files"]) and all(
            _folder(path) == entries for path, entries in document["folders"]
        )
        return str(document["said"]) if is_same else None
    except (OSError, ValueError, LookupError, TypeError):  # written by another program, or truncated
        return None


def is_current(root: str, key: str, tool: str) -> bool:
    """Whether the compile cached under the key would read and write the same files now."""
    return cached_answer(root, key, tool) is not None


def today() -> str:
    """Today's date: suppressions with an end date depend on it."""
    from time import strftime

    return strftime("%Y-%m-%d")


def store(
    root: str,
    key: str,
    tool: str,
    *,
    started_ns: int,
    read: Iterable[str],
    artefacts: Mapping[str, str],
    libraries: Iterable[str],
    folders: Iterable[str],
    answer: str = "",
    expires_today: bool = False,
) -> None:
    """Cache an answer with the files that a compile read or wrote and the folders whose entries it depends on; nothing
    if any of them has changed since.

    started_ns: start of the compile, in ns since the epoch; read: files of the project; artefacts: text of each file
    that it wrote, by path; libraries: code from outside the project; answer: the text that the command printed;
    expires_today: whether the answer depends on the date. All paths are absolute.
    """
    from hashlib import sha256
    from pathlib import Path
    from time import time_ns

    from keywright.errors import UsageError

    from .files import write

    entries: list[FileEntry] = []
    written, own = time_ns(), {*read, *artefacts}
    for path in sorted({*own, *libraries}):
        try:
            state = os.stat(path)
            digest = _digest(path) if path in own else ""
        except OSError:
            return  # a file that no longer exists
        if path in artefacts:
            if digest != sha256(artefacts[path].encode()).hexdigest():
                return
        elif state.st_ctime_ns > started_ns - GRAIN_NS:
            return
        entries.append([path, state.st_size, state.st_mtime_ns, state.st_ctime_ns, state.st_ino, digest])
    document = {
        "format": FORMAT,
        "tool": identity(tool),
        "searched": SEARCHED,
        "written": written,
        "said": answer,
        "day": today() if expires_today else None,
        "files": entries,
        "folders": [[path, _folder(path)] for path in sorted({*folders, *SEARCHED})],
    }
    text = json.dumps(document)
    try:
        seal = _seal(text.encode(), _key()).decode()
        write(Path(path_of(root, key)), f"{seal}\n{text}")
    except (OSError, UsageError):
        return  # a project or a home that is read-only: the next compile takes as long as this one


def _key_file() -> str:
    """Path of the key, beside the downloaded servers."""
    home = os.environ.get("KEYWRIGHT_CACHE") or os.path.join(os.path.expanduser("~"), ".cache", "keywright")
    return os.path.join(home, "key")


def _key() -> bytes:
    """The key of this user, created if there is none; of two processes that create one, the second uses the first's."""
    path = _key_file()
    os.makedirs(os.path.dirname(path), exist_ok=True)
    temporary = f"{path}.{os.getpid()}"
    if not os.path.exists(path):
        with open(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(os.urandom(32))
        try:
            os.link(temporary, path)
        except FileExistsError:
            pass
        finally:
            os.unlink(temporary)
    with open(path, "rb") as file:
        return file.read()


def _seal(text: bytes, key: bytes) -> bytes:
    from _blake2 import blake2b  # hashlib loads OpenSSL, which takes longer than this whole module

    return blake2b(text, key=key, digest_size=20).hexdigest().encode()


def identity(tool: str) -> str:
    """Version of the tool and of the Python that runs it."""
    return f"{tool} {sys.version}"


def _is_same(entry: FileEntry, written: int) -> bool:
    path, size, modified, changed, inode, digest = entry
    assert isinstance(path, str)
    assert isinstance(changed, int)
    state = os.stat(path)
    if state.st_size != size:
        return False
    is_unchanged = [state.st_mtime_ns, state.st_ctime_ns, state.st_ino] == [modified, changed, inode]
    if not digest:
        return is_unchanged
    return (is_unchanged and changed < written - RACY_NS) or _digest(path) == digest


def _digest(path: str) -> str:
    from hashlib import sha256  # only recent and changed files are hashed

    with open(path, "rb") as file:
        return sha256(file.read()).hexdigest()


def _folder(path: str) -> list[str] | None:
    """Names of a folder's entries that could be imported or compiled; None if there is no such folder."""
    try:
        names = os.listdir(path)
    except OSError:
        return None
    return sorted(name for name in names if not name.startswith((".", "__pycache__")))
