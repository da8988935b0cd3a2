"""How rules are asked in an environment: what pyproject.toml says, and what a command line says on top."""

from collections.abc import Iterable
from pathlib import Path

from keywright.errors import DeclarationError, Place
from keywright.project.settings import FILE, Settings
from keywright.rules import options
from keywright.rules.models import MODELS
from keywright.rules.options import OptionError, Options


def options_of(
    settings: Settings, select: Iterable[str] = (), ignore: Iterable[str] = (), profile: str | None = None
) -> Options:
    """The options of a project with those of a command line; says what of either is wrong."""
    try:
        said = options.read(settings.rules, MODELS)
    except OptionError as error:
        file = settings.root / FILE
        raise DeclarationError("E0402", error.problem, Place(str(file), _line(file, error.path)), error.help) from None
    return said.with_choice(options.chosen(select, MODELS), options.chosen(ignore, MODELS), profile)


def _line(file: Path, path: Iterable[str]) -> int:
    """The line of a key of the table: that of each key on the way to it stands at or below that of the one before."""
    lines = file.read_text(encoding="utf-8").splitlines()
    at = next((at for at, line in enumerate(lines) if line.lstrip().startswith("[tool.keywright.rules")), 0)
    for key in path:
        at = next((below for below in range(at, len(lines)) if key in lines[below]), at)
    return at + 1
