"""Reads the configurations of a policy pack, one file for each environment."""

from pathlib import Path

from keywright.errors import DeclarationErrors, UsageError, gathering
from keywright.ir.text import counted
from keywright.rules.configuration import PackConfiguration, parse
from keywright.rules.models import MODELS
from keywright.rules.rule import Rule

FOLDER = "policies"
"""Folder of a project's pack, relative to the root."""


def rules() -> tuple[Rule, ...]:
    """Rules that a configuration may name; `keywright check` runs some of them, a pack others."""
    from keywright.rules.infra.catalogue import INFRA  # only where there is a configuration

    return (*MODELS, *INFRA)


def configuration_of(root: Path, environment: str) -> PackConfiguration:
    """The pack's configuration of rules in an environment; empty if there is no file for it.

    Raises DeclarationErrors with all mistakes in the file.
    """
    file = root / FOLDER / f"config.{environment}.json"
    return read(file) if file.is_file() else PackConfiguration()


def check_folder(folder: Path) -> None:
    """Raise DeclarationErrors with all mistakes in the configurations of a pack's folder."""
    with gathering() as errors:
        for file in sorted(folder.glob("config.*.json")):
            _read(file)
    if errors:
        raise DeclarationErrors(f"{folder.name}: {counted(len(errors), 'mistake')}", errors)


def read(file: Path) -> PackConfiguration:
    """The configuration of one file; raises DeclarationErrors with all mistakes in it."""
    with gathering() as errors:
        pack_configuration = _read(file)
    if errors:
        raise DeclarationErrors(f"{file.name}: {counted(len(errors), 'mistake')}", errors)
    return pack_configuration


def _read(file: Path) -> PackConfiguration:
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f'"{file}" cannot be read: {error}', "save it as text in UTF-8") from None
    return parse(text, str(file), rules())
