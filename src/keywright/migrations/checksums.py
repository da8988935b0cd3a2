"""The checksum file: one line per migration, which changes with that migration and with every earlier one."""

import hashlib
from collections.abc import Iterable, Mapping

from keywright.record import Record

FILE = "keywright.sum"
"""Name of the file in the migrations folder."""

_FIRST = "0" * 64


class Checksums(Record):
    """Contents of a checksum file."""

    entries: tuple[tuple[str, str], ...]
    """(folder, hash) of each migration, in order."""

    @property
    def text(self) -> str:
        """Text of the file; the first line is the hash of the other lines."""
        lines = "".join(f"{folder} {entry}\n" for folder, entry in self.entries)
        return f"keywright-sum 1 {_hash(lines.encode())}\n{lines}"


def checksums_of(folders: Iterable[tuple[str, Mapping[str, bytes]]]) -> Checksums:
    """Checksums of migrations in their order.

    folders: name of each folder, with the contents of its files by relative path.
    """
    entries: list[tuple[str, str]] = []
    before = _FIRST
    for name, files in folders:
        lines = "".join(f"{_hash(_plain(files[path]))}  {path}\n" for path in sorted(files) if is_summed(path))
        before = _hash(f"{before}\n{name}\n{lines}".encode())
        entries.append((name, before))
    return Checksums(tuple(entries))


def read(text: str) -> Checksums:
    """Inverse of `Checksums.text`; ValueError if it is not a checksum file, or was edited by hand or by a merge."""
    first, _, rest = text.replace("\r\n", "\n").partition("\n")
    entries = tuple(tuple(line.split(" ")) for line in rest.splitlines())
    if any(len(entry) != 2 for entry in entries):
        raise ValueError("it has lines that are not entries")
    if first != f"keywright-sum 1 {_hash(rest.encode())}":
        raise ValueError("its first line does not match the others")
    return Checksums(tuple((folder, entry) for folder, entry in entries))


def is_summed(path: str) -> bool:
    """Whether the checksum covers a file; tests, caches and dot files are left out."""
    parts = path.split("/")
    name = parts[-1]
    is_test = name.startswith("test_") and name.endswith(".py")
    return not is_test and "__pycache__" not in parts and not any(part.startswith(".") for part in parts)


def _plain(content: bytes) -> bytes:
    return content.replace(b"\r\n", b"\n")


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
