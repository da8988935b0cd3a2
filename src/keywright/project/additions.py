"""What an existing Pulumi program lacks to have the resources of a project: lines, each with its place."""

import os
import shlex
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from keywright.engines.registry import ENGINES
from keywright.errors import DeclarationError

from .environment import KEY
from .program import Program, named
from .settings import FILE, Settings
from .stack import read_stack

PROVIDER = "keywright"
"""The name of our provider, and of the package of its types."""

_PROGRAM = """\
import keywright.pulumi

tables = keywright.pulumi.provision().tables  # or, these alone: Tables("dynamodb")
"""


@dataclass(frozen=True, slots=True)
class Addition:
    """Lines for one place."""

    where: str
    """The file, or what they are for."""
    text: str
    """The lines."""
    is_there: bool = False
    """Whether they need not be added."""
    verb: str = "add to"
    """What is done with the file; empty where it is none."""


def additions(
    settings: Settings, program: Program | None, engines: Collection[str], environment: str | None
) -> tuple[Addition, ...]:
    """Everything that is needed, in the order in which a person would add it.

    program: that which is there, in Python; None for none. engines: those that the models use. environment: for which
    a stack file is drawn, by default the project's default one.
    """
    return tuple(_additions(settings, program, engines, environment or settings.default_environment))


def _additions(
    settings: Settings, program: Program | None, engines: Collection[str], environment: str
) -> Iterator[Addition]:
    used = [engine.name for engine in ENGINES if engine.name in engines]
    stacks = settings.root / settings.environments
    yield Addition("where the program runs", _shell(settings, program, used), verb="")
    if program is None:
        here = settings.environments
        program = Program(settings.root / "Pulumi.yaml", named(settings.root.name), "python", main=here, stacks=here)
        lines = {"name": program.name, "runtime": "python", "main": program.main, "stackConfigDir": program.stacks}
        text = "".join(f"{key}: {value}\n" for key, value in lines.items())
        yield Addition(str(program.file), text, verb="write")
    elif program.stack_folder != stacks.resolve():
        here = Path(os.path.relpath(program.stack_folder, settings.root)).as_posix()
        text = f'[tool.keywright]\nenvironments = "{here}"\n'
        yield Addition(str(settings.root / FILE), text)
        stacks = program.stack_folder
    if set(used) - {"dynamodb"}:
        yield from _provider(program)
    yield Addition(str(program.entry), _PROGRAM, "keywright.pulumi" in _read(program.entry))
    stack = stacks / f"Pulumi.{environment}.yaml"
    yield Addition(str(stack), _settings(used), KEY in _config(stack))


def _shell(settings: Settings, program: Program | None, engines: Collection[str]) -> str:
    """What is installed; and where the project is, for a program that does not stand in it."""
    text = f'pip install "keywright[{",".join((*engines, "pulumi"))}]"\n'
    if program is None or settings.root in program.folder.resolve().parents:
        return text
    return f"{text}export KEYWRIGHT_PROJECT={shlex.quote(str(settings.root))}\n"


def _provider(program: Program) -> Iterator[Addition]:
    """Our provider, which the program starts from a folder of its own."""
    path = program.providers.get(PROVIDER) or (Path(program.main) / "provider").as_posix()
    lines = f"plugins:\n  providers:\n    - name: {PROVIDER}\n      path: {path}\n"
    yield Addition(str(program.file), lines, PROVIDER in program.providers)
    folder = program.file.parent / path
    options = {"toolchain": program.toolchain}
    if program.virtualenv:
        options["virtualenv"] = Path(os.path.relpath(program.file.parent / program.virtualenv, folder)).as_posix()
    told = "".join(f"    {key}: {value}\n" for key, value in options.items() if value)
    runtime = f"runtime:\n  name: python\n  options:\n{told}" if told else "runtime: python\n"
    start = "from keywright.provider import serve\n\nserve()\n"
    for name, text in (("PulumiPlugin.yaml", runtime), ("__main__.py", start)):
        yield Addition(str(folder / name), text, (folder / name).is_file(), verb="write")


def _settings(engines: Collection[str]) -> str:
    """An environment to start from: the template's, with those engines only."""
    template = files("keywright.template").joinpath("stacks/Pulumi.dev.yaml").read_text(encoding="utf-8")
    known = {engine.name for engine in ENGINES} - set(engines)
    lines = [line for line in template.splitlines() if line.strip().partition(":")[0] not in known]
    return "\n".join(line for line in lines if not line.startswith("#")) + "\n"


def _read(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return ""


def _config(file: Path) -> Collection[str]:
    """The settings that a stack file has; none where there is no such file, or none that can be read."""
    if not file.is_file():
        return ()
    try:
        told = read_stack(file).data
    except DeclarationError:
        return ()
    config = told.get("config") if isinstance(told, dict) else None
    return tuple(config.data) if config is not None and isinstance(config.data, dict) else ()
