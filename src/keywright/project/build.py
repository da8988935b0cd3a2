"""The folder of artefacts: what differs from it, and making it equal."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from .files import write

SUFFIXES = (".json", ".js", ".cql", ".conf", ".yaml")
"""Endings of files that a build makes; nothing else in the folder is ever touched."""


@dataclass(frozen=True, slots=True)
class Change:
    """One file that a build would touch."""

    path: str
    """Below the folder."""
    kind: Literal["new", "changed", "stale"]
    """Whether it is missing, differs, or belongs to nothing any more."""


def changes(folder: Path, files: Mapping[str, str], owned: Iterable[str]) -> list[Change]:
    """What differs between a folder and the files that belong there, sorted by path.

    owned: subfolders of which everything with a known ending belongs to the build.
    """
    found: list[Change] = []
    for path, text in files.items():
        present = _read(folder / path)
        if present != text:
            found.append(Change(path, "new" if present is None else "changed"))
    for name in owned:
        for file in (folder / name).glob("*"):
            path = f"{name}/{file.name}"
            if file.suffix in SUFFIXES and path not in files and file.is_file():
                found.append(Change(path, "stale"))
    return sorted(found, key=lambda change: change.path)


def write_build(folder: Path, files: Mapping[str, str], made: Iterable[Change]) -> None:
    """Make the folder equal to the files."""
    for change in made:
        if change.kind == "stale":
            (folder / change.path).unlink(missing_ok=True)
        else:
            write(folder / change.path, files[change.path])


def _read(file: Path) -> str | None:
    """A file's text; None if there is none, whatever else stands in its place or in that of its folder."""
    try:
        return file.read_bytes().decode()
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError, UnicodeDecodeError):
        return None
