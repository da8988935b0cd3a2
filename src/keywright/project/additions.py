"""Lists the lines that an existing Pulumi program needs to provision a project's resources, each with its file."""

import os
import re
import shlex
from collections.abc import Collection, Iterator
from importlib.resources import files
from pathlib import Path

from keywright.engines.registry import NAMES, in_order, modules_of
from keywright.errors import DeclarationError
from keywright.record import Record

from .environments.environment import KEY
from .environments.stack_file import read_stack
from .files import quoted
from .program import Program, named
from .settings import FILE, Settings

PROVIDER = "keywright"
"""Name of the provider, and of the package of its types."""

_PROGRAM = """\
import keywright.pulumi

tables = keywright.pulumi.provision().tables  # or, these alone: Tables("dynamodb")
"""


class Addition(Record):
    """Lines for one file."""

    where: str
    """The file, or the purpose of the lines."""
    text: str
    """The lines."""
    is_present: bool = False
    """Whether the file contains the lines already."""
    verb: str = "add to"
    """The instruction for the file; empty for lines of no file."""


def additions(
    settings: Settings, program: Program | None, engines: Collection[str], environment: str | None
) -> tuple[Addition, ...]:
    """All lines that the program needs, in the order in which a person would add them.

    program: the existing program, in Python; None for none. engines: the engines that the models use. environment: the
    environment of the stack file, by default the project's default environment.
    """
    return tuple(_additions(settings, program, engines, environment or settings.default_environment))


def _additions(
    settings: Settings, program: Program | None, engines: Collection[str], environment: str
) -> Iterator[Addition]:
    used = in_order(engines)
    stacks = settings.root / settings.environments
    yield Addition("where the program runs", _shell(settings, program, used), verb="")
    if program is None:
        folder = settings.environments
        program = Program(
            settings.root / "Pulumi.yaml", named(settings.root.name), "python", main=folder, stacks=folder
        )
        lines = {"name": program.name, "runtime": "python", "main": program.main, "stackConfigDir": program.stacks}
        text = "".join(f"{key}: {_scalar(value)}\n" for key, value in lines.items())
        yield Addition(str(program.file), text, verb="write")
    elif program.stack_folder != stacks.resolve():
        folder = Path(os.path.relpath(program.stack_folder, settings.root)).as_posix()
        text = f"[tool.keywright]\nenvironments = {quoted(folder)}\n"
        yield Addition(str(settings.root / FILE), text)
        stacks = program.stack_folder
    if any(not modules_of(engine).stack for engine in used):
        yield from _provider(program)
    yield Addition(str(program.entry), _PROGRAM, "keywright.pulumi" in _read(program.entry))
    stack = stacks / f"Pulumi.{environment}.yaml"
    yield Addition(str(stack), _settings(used), KEY in _config(stack))


def _shell(settings: Settings, program: Program | None, engines: Collection[str]) -> str:
    """The installation, and the project's path for a program outside the project."""
    extras = [name for name in engines if name in NAMES]  # engines of other packages are not extras of this one
    text = f'pip install "keywright[{",".join((*extras, "pulumi"))}]"\n'
    if program is None or settings.root in program.folder.resolve().parents:
        return text
    return f"{text}export KEYWRIGHT_PROJECT={shlex.quote(str(settings.root))}\n"


def _provider(program: Program) -> Iterator[Addition]:
    """The provider, which the program starts from its own folder."""
    path = program.providers.get(PROVIDER) or (Path(program.main) / "provider").as_posix()
    plugins = f"plugins:\n  providers:\n    - name: {PROVIDER}\n      path: {_scalar(path)}\n"
    yield Addition(str(program.file), plugins, PROVIDER in program.providers)
    folder = program.file.parent / path
    options = {"toolchain": program.toolchain}
    if program.virtualenv:
        options["virtualenv"] = Path(os.path.relpath(program.file.parent / program.virtualenv, folder)).as_posix()
    settings = "".join(f"    {key}: {_scalar(value)}\n" for key, value in options.items() if value)
    runtime = f"runtime:\n  name: python\n  options:\n{settings}" if settings else "runtime: python\n"
    start = "from keywright.provider import serve\n\nserve()\n"
    for name, text in (("PulumiPlugin.yaml", runtime), ("__main__.py", start)):
        yield Addition(str(folder / name), text, (folder / name).is_file(), verb="write")


def _settings(engines: Collection[str]) -> str:
    """A first environment: the template's, with the given engines only."""
    template = files("keywright.template").joinpath("stacks/Pulumi.dev.yaml").read_text(encoding="utf-8")
    unused = {*NAMES} - set(engines)
    lines = [line for line in template.splitlines() if line.strip().partition(":")[0] not in unused]
    return "\n".join(line for line in lines if not line.startswith("#")) + "\n"


def _scalar(text: str) -> str:
    """A text of YAML, in quotes unless it is a plain path or word."""
    return text if re.fullmatch(r"[A-Za-z./][\w./-]*", text, re.ASCII) else quoted(text)


def _read(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return ""


def _config(file: Path) -> Collection[str]:
    """Keys of a stack file's configuration; none if the file is missing or invalid."""
    if not file.is_file():
        return ()
    try:
        values = read_stack(file).data
    except DeclarationError:
        return ()
    config = values.get("config") if isinstance(values, dict) else None
    return tuple(config.data) if config is not None and isinstance(config.data, dict) else ()
