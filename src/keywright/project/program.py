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
    toolchain: str = ""
    """What installs its packages, such as `pip` or `uv`; empty where it is not said."""
    virtualenv: str = ""
    """Where its Python is, below the file's folder; empty for that of the shell."""

    @property
    def is_python(self) -> bool:
        """Whether the program is in Python."""
        return self.runtime == "python"

    @property
    def folder(self) -> Path:
        """The folder of the program."""
        return self.entry.parent

    @property
    def entry(self) -> Path:
        """The file with which a program in Python begins."""
        main = self.file.parent / self.main
        return main if main.suffix == ".py" else main / "__main__.py"

    @property
    def stack_folder(self) -> Path:
        """The folder of the stack files."""
        return (self.file.parent / self.stacks).resolve()


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
    options = _inner(_inner(runtime).get("options"))
    listed = _inner(told.get("plugins")).get("providers")
    providers = [_inner(one) for one in listed.data] if listed and isinstance(listed.data, list) else []
    return Program(
        file=file,
        name=_text(told.get("name")),
        runtime=_text(_inner(runtime).get("name")) if _inner(runtime) else _text(runtime),
        main=_text(told.get("main")),
        stacks=_text(told.get("stackConfigDir")),
        providers={_text(one.get("name")): _text(one.get("path")) for one in providers},
        toolchain=_text(options.get("toolchain")),
        virtualenv=_text(options.get("virtualenv")),
    )


def _inner(value: Value | None) -> dict[str, Value]:
    return value.data if value is not None and isinstance(value.data, dict) else {}


def _text(value: Value | None) -> str:
    return value.data if value is not None and isinstance(value.data, str) else ""
