"""The steps between two databases as a script for mongosh."""

from typing import Any

from keywright.engines.interface import Artefact

from .alter import migrate
from .javascript import literal
from .place import place
from .settings import MongoEnvironment
from .target import DatabaseTarget

_ANYWHERE = MongoEnvironment(flavour="mongodb")
"""What is the same in every environment."""


def script(before: DatabaseTarget | None, after: DatabaseTarget | None) -> tuple[Artefact, ...]:
    """See `Engine.script`: commands of the database that the connection string names."""
    old, new = (one and place(one, _ANYWHERE) for one in (before, after))
    lines: list[str] = []
    for step in migrate(old, new):
        statement: Any = step.statement
        command: dict[str, Any] = {statement["command"]: statement["collection"], **statement["arguments"]}
        if "indexes" in command:
            command["indexes"] = [{**one, "key": dict(one["key"])} for one in command["indexes"]]
        opening = "db.runCommand("
        lines.append(f"// {step.summary}\n{opening}{literal(command, used=len(opening))});\n")
    return (Artefact("commands.js", "\n".join(lines)),) if lines else ()
