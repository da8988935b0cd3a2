"""Compares the folder of artefacts with a build, and writes the differences."""

from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Literal

from keywright.record import Record

from .files import write


class FileChange(Record):
    """A file that a build would write or remove."""

    path: str
    """Below the folder."""
    kind: Literal["new", "changed", "stale"]
    """Missing, different, or no longer produced by the build."""


def changes(folder: Path, files: Mapping[str, str], owned: Mapping[str, Collection[str]]) -> list[FileChange]:
    """Differences between a folder and the files of a build, sorted by path.

    owned: subfolders of which everything with one of these endings belongs to the build; no other file is ever touched.
    """
    file_changes: list[FileChange] = []
    for path, text in files.items():
        present = _read(folder / path)
        if present != text:
            file_changes.append(FileChange(path, "new" if present is None else "changed"))
    for name, suffixes in owned.items():
        for file in (folder / name).glob("*"):
            path = f"{name}/{file.name}"
            if file.suffix in suffixes and path not in files and file.is_file():
                file_changes.append(FileChange(path, "stale"))
    return sorted(file_changes, key=lambda change: change.path)


def write_build(folder: Path, files: Mapping[str, str], file_changes: Iterable[FileChange]) -> None:
    """Make the folder equal to the files."""
    for change in file_changes:
        if change.kind == "stale":
            (folder / change.path).unlink(missing_ok=True)
        else:
            write(folder / change.path, files[change.path])


def _read(file: Path) -> str | None:
    """A file's text; None if no such file exists, or its path or folder is something else."""
    try:
        return file.read_bytes().decode()
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError, UnicodeDecodeError):
        return None
