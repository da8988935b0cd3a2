"""The sum file: a line for each version, which changes when that version or any one before it does."""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

FILE = "keywright.sum"
"""Its name, beside the versions."""

_FIRST = "0" * 64


@dataclass(frozen=True, slots=True)
class Sums:
    """What a sum file says."""

    entries: tuple[tuple[str, str], ...]
    """(folder, hash) of each version, in order."""

    @property
    def text(self) -> str:
        """The file; its first line is the hash of the others."""
        lines = "".join(f"{folder} {entry}\n" for folder, entry in self.entries)
        return f"keywright-sum 1 {_hash(lines.encode())}\n{lines}"


def sums_of(folders: Iterable[tuple[str, Mapping[str, bytes]]]) -> Sums:
    """The sums of versions in their order.

    folders: name of each, with the contents of its files by their paths in it.
    """
    entries: list[tuple[str, str]] = []
    before = _FIRST
    for name, files in folders:
        lines = "".join(f"{_hash(_plain(files[path]))}  {path}\n" for path in sorted(files) if is_summed(path))
        before = _hash(f"{before}\n{name}\n{lines}".encode())
        entries.append((name, before))
    return Sums(tuple(entries))


def read(text: str) -> Sums:
    """The inverse of `Sums.text`; ValueError where it is no sum file, or was edited by hand or by a merge."""
    first, _, rest = text.replace("\r\n", "\n").partition("\n")
    entries = tuple(tuple(line.split(" ")) for line in rest.splitlines())
    if any(len(entry) != 2 for entry in entries):
        raise ValueError("it has lines that are no entries")
    if first != f"keywright-sum 1 {_hash(rest.encode())}":
        raise ValueError("its first line does not fit the others")
    return Sums(tuple((folder, entry) for folder, entry in entries))


def is_summed(path: str) -> bool:
    """Whether a file counts: tests, caches and dot files do not."""
    parts = path.split("/")
    name = parts[-1]
    is_test = name.startswith("test_") and name.endswith(".py")
    return not is_test and "__pycache__" not in parts and not any(part.startswith(".") for part in parts)


def _plain(content: bytes) -> bytes:
    return content.replace(b"\r\n", b"\n")


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
