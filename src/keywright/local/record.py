"""`process.json`: what is written down about a started server, so that any later command finds it."""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from keywright.local import process

FILE = "process.json"


@dataclass(frozen=True, slots=True)
class Record:
    """One started server."""

    engine: str
    """Name of the engine."""
    name: str
    """Name of the server, as in `Instance`."""
    pid: int
    """Its process."""
    started_at: str
    """The kernel's start time of that process."""
    port: int
    """The first of its ports."""
    source: str
    """Where its program came from."""
    version: str = ""
    """What the server calls itself."""
    is_ready: bool = False
    """Whether it was seen ready; a live process that never was is the rest of an interrupted start."""


def write(folder: Path, record: Record) -> None:
    """Put the record into the server's folder."""
    part = folder / f".{FILE}.part"
    part.write_text(json.dumps(asdict(record), indent=2) + "\n", encoding="utf-8")
    part.replace(folder / FILE)


def read(folder: Path) -> Record | None:
    """The record in a server's folder if its process is alive; nothing when there is none or it can't be read."""
    try:
        record = Record(**json.loads((folder / FILE).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None
    return record if process.is_same(record.pid, record.started_at) else None


def remove(folder: Path) -> None:
    """Take the record out of a server's folder; its data and log stay."""
    (folder / FILE).unlink(missing_ok=True)


def alive(folder: Path) -> Iterator[tuple[Path, Record]]:
    """All live servers below the project's folder, with the folder of each, in a stable order."""
    for file in sorted((*folder.glob(f"*/{FILE}"), *folder.glob(f"*/*/{FILE}"))):
        if record := read(file.parent):
            yield file.parent, record
