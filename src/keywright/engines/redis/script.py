"""The steps between two servers as commands for redis-cli."""

from typing import Any

from keywright.engines.interface import Artefact

from .alter import migrate
from .place import place
from .render import quoted
from .settings import RedisEnvironment
from .target import ServerTarget

_ANYWHERE = RedisEnvironment(flavour="redis")
"""What is the same in every environment."""


def script(before: ServerTarget | None, after: ServerTarget | None) -> tuple[Artefact, ...]:
    """See `Engine.script`: `redis-cli < FILE`, on each node; the file of each server gets the same settings."""
    old, new = (one and place(one, _ANYWHERE) for one in (before, after))
    lines: list[str] = []
    for step in migrate(old, new):
        statement: Any = step.statement
        lines.append(" ".join(map(quoted, statement["command"])))
        if "then" in statement:
            lines.append(" ".join(statement["then"]))
    return (Artefact("commands.redis", "\n".join(lines) + "\n"),) if lines else ()
