"""`process.json`: the record of a started server, so that any later command finds it."""

import json
from collections.abc import Iterator
from pathlib import Path

from keywright.local import process
from keywright.record import Record, asdict

FILE = "process.json"


class ServerRecord(Record):
    """One started server."""

    engine: str
    """Name of the engine."""
    name: str
    """Name of the server, as in `WantedServer`."""
    pid: int
    """Its process."""
    started_at: str
    """The kernel's start time of that process."""
    port: int
    """The first of its ports."""
    source: str
    """The source of its program."""
    version: str = ""
    """The version that the server reports."""
    product: str = ""
    """The product that was asked for; empty for the usual one."""
    is_ready: bool = False
    """Whether it was ready once; a live process that never was is left from an interrupted start."""


def write(folder: Path, record: ServerRecord) -> None:
    """Write the record into the server's folder."""
    part = folder / f".{FILE}.part"
    with open(part, "w", encoding="utf-8", opener=process.private) as file:
        file.write(json.dumps(asdict(record), indent=2) + "\n")
    part.replace(folder / FILE)


def read(folder: Path) -> ServerRecord | None:
    """The record in a server's folder if its process is alive; None if there is no readable record."""
    try:
        record = ServerRecord(**json.loads((folder / FILE).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None
    return record if process.is_same(record.pid, record.started_at) else None


def remove(folder: Path) -> None:
    """Remove the record from a server's folder; data and log stay."""
    (folder / FILE).unlink(missing_ok=True)


def alive(folder: Path) -> Iterator[tuple[Path, ServerRecord]]:
    """All live servers in the project's folder, each with its own folder, in a stable order."""
    for file in sorted((*folder.glob(f"*/{FILE}"), *folder.glob(f"*/*/{FILE}"))):
        if record := read(file.parent):
            yield file.parent, record
