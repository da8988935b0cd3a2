"""A Pulumi project that is there: what its Pulumi.yaml says."""

import re
from dataclasses import dataclass, field
from pathlib import Path

from .stack import Value, read_stack

FILES = ("Pulumi.yaml", "Pulumi.yml")
"""Names of a project's file."""


@dataclass(frozen=True, slots=True)
class Program:
    """What a project's file says, as far as it matters here."""

    file: Path
    """The file."""
    name: str
    """Name of the project, which is the namespace of its settings too."""
    runtime: str
    """The language of its program, such as `python`."""
    main: str = ""
    """Where the program is, below the file's folder; empty for that folder."""
    stacks: str = ""
    """Where the stack files are, likewise."""
    providers: dict[str, str] = field(default_factory=dict)
    """Folders of providers that it starts itself, by name."""


def find_program(start: Path) -> Program | None:
    """The project of a folder or of the nearest one above; None if there is none, DeclarationError if it is no YAML."""
    for folder in (start, *start.parents):
        for name in FILES:
            if (folder / name).is_file():
                return _program(folder / name)
    return None


def named(text: str) -> str:
    """A text as the name of a project: what such a name must not hold is left out."""
    return re.sub(r"[^A-Za-z0-9_.-]", "", text) or "project"


def _program(file: Path) -> Program:
    told = _inner(read_stack(file))
    runtime = told.get("runtime")
    listed = _inner(told.get("plugins")).get("providers")
    providers = [_inner(one) for one in listed.data] if listed and isinstance(listed.data, list) else []
    return Program(
        file=file,
        name=_text(told.get("name")),
        runtime=_text(_inner(runtime).get("name")) if _inner(runtime) else _text(runtime),
        main=_text(told.get("main")),
        stacks=_text(told.get("stackConfigDir")),
        providers={_text(one.get("name")): _text(one.get("path")) for one in providers},
    )


def _inner(value: Value | None) -> dict[str, Value]:
    return value.data if value is not None and isinstance(value.data, dict) else {}


def _text(value: Value | None) -> str:
    return value.data if value is not None and isinstance(value.data, str) else ""
