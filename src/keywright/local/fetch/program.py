"""Servers that are one program: in a variable, on the PATH, or inside a wheel."""

import shutil
from pathlib import Path

from keywright.local.environment import named_path
from keywright.local.fetch import wheel
from keywright.local.fetch.cache import Fetching
from keywright.local.fetch.wheel import Wheels
from keywright.local.server_program import FoundServer, UnavailableServer
from keywright.record import Record


class ServerProgram(Record):
    """A server program and its sources."""

    variable: str
    """The variable for its path."""
    commands: tuple[str, ...]
    """Its names on the PATH, the preferred name first; none for a program that needs files beside it."""
    wheels: Wheels
    """The wheel with the program, per platform."""
    install: str
    """Help for a manual installation."""


def locate(program: ServerProgram, cache: Path) -> FoundServer | UnavailableServer:
    """The program, without fetching anything."""
    if named := named_path(program.variable):
        return FoundServer(named, f"${program.variable}")
    for command in program.commands:
        if on_path := shutil.which(command):
            return FoundServer(Path(on_path), "PATH")
    in_wheel = wheel.locate(program.wheels, cache)
    return in_wheel or _unfetched(program)


def _unfetched(program: ServerProgram) -> UnavailableServer:
    wheel = next(iter(program.wheels.values()))
    name = program.commands[0] if program.commands else wheel.distribution
    return UnavailableServer(f"{name} is not fetched yet", "run `keywright local up`")


def fetch(program: ServerProgram, fetching: Fetching, licence: str) -> FoundServer | UnavailableServer:
    """Fetch the wheel with the program; returns UnavailableServer on failure."""
    fetched = wheel.fetch(program.wheels, fetching, licence)
    return UnavailableServer(fetched.reason, program.install) if isinstance(fetched, UnavailableServer) else fetched
