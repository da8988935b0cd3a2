"""The two answers to a search for the program of a server."""

from pathlib import Path

from keywright.record import Record


class FoundServer(Record):
    """A server that can be started."""

    location: Path
    """Its program, or the folder with its jars."""
    source: str
    """Its source, such as `PATH` or `$KEYWRIGHT_MONGOD`."""
    java: Path | None = None
    """The Java that runs it; None for a program."""
    version: str = ""
    """Its version if the file names contain it; empty if the server reports it."""


class UnavailableServer(Record):
    """The reason why a server is unavailable, with help. It is a value, because a missing engine is only skipped."""

    reason: str
    """The reason in a few words: `needs Java 17, found 25`."""
    help: str
    """The packages to install or commands to run; can have several lines."""
