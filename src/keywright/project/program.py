"""Reads the Pulumi.yaml of an existing Pulumi project."""

import re
from pathlib import Path

from keywright.record import Record, field

from .environments.stack_file import YamlValue, read_stack

FILES = ("Pulumi.yaml", "Pulumi.yml")
"""Names of a project's file."""


class Program(Record):
    """The settings of a Pulumi project that keywright needs."""

    file: Path
    """The file."""
    name: str
    """Name of the project, which is also the namespace of its settings."""
    runtime: str
    """The language of its program, such as `python`."""
    main: str = ""
    """Path of the program, relative to the file's folder; empty for that folder."""
    stacks: str = ""
    """Path of the stack files, relative to the file's folder."""
    providers: dict[str, str] = field(default_factory=dict)
    """Folders of the providers that the program starts itself, by name."""
    toolchain: str = ""
    """The package installer, such as `pip` or `uv`; empty if the file names none."""
    virtualenv: str = ""
    """Path of its virtual environment, relative to the file's folder; empty for the shell's Python."""

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
        """The main file of a program in Python."""
        main = self.file.parent / self.main
        return main if main.suffix == ".py" else main / "__main__.py"

    @property
    def stack_folder(self) -> Path:
        """The folder of the stack files."""
        return (self.file.parent / self.stacks).resolve()


def find_program(start: Path) -> Program | None:
    """The project of a folder or of the nearest parent; None if there is none, DeclarationError for invalid YAML."""
    for folder in (start, *start.parents):
        for name in FILES:
            if (folder / name).is_file():
                return _program(folder / name)
    return None


def named(text: str) -> str:
    """A text as the name of a Pulumi project, without the characters that such a name must not contain."""
    return re.sub(r"[^A-Za-z0-9_.-]", "", text) or "project"


def _program(file: Path) -> Program:
    values = _inner(read_stack(file))
    runtime = values.get("runtime")
    options = _inner(_inner(runtime).get("options"))
    listed = _inner(values.get("plugins")).get("providers")
    providers = [_inner(value) for value in listed.data] if listed and isinstance(listed.data, list) else []
    return Program(
        file=file,
        name=_text(values.get("name")),
        runtime=_text(_inner(runtime).get("name")) if _inner(runtime) else _text(runtime),
        main=_text(values.get("main")),
        stacks=_text(values.get("stackConfigDir")),
        providers={_text(provider.get("name")): _text(provider.get("path")) for provider in providers},
        toolchain=_text(options.get("toolchain")),
        virtualenv=_text(options.get("virtualenv")),
    )


def _inner(value: YamlValue | None) -> dict[str, YamlValue]:
    return value.data if value is not None and isinstance(value.data, dict) else {}


def _text(value: YamlValue | None) -> str:
    return value.data if value is not None and isinstance(value.data, str) else ""
