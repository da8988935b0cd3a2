"""The folder of a policy pack: what its configurations say, one for each environment."""

from pathlib import Path

from keywright.errors import DeclarationErrors, UsageError, gathering
from keywright.rules.configuration import Configuration, parse
from keywright.rules.models import MODELS
from keywright.rules.rule import Rule

FOLDER = "policies"
"""Where the pack of a project is, from its root."""


def rules() -> tuple[Rule, ...]:
    """What a configuration may name: `keywright check` asks some of these, a pack others."""
    from keywright.rules.infra.catalogue import INFRA  # only where there is a configuration

    return (*MODELS, *INFRA)


def configuration_of(root: Path, environment: str) -> Configuration:
    """What the pack of a project says of rules in an environment; nothing where it has no file for it.

    DeclarationErrors lists all that is wrong with the file.
    """
    file = root / FOLDER / f"config.{environment}.json"
    return read(file) if file.is_file() else Configuration()


def check_folder(folder: Path) -> None:
    """DeclarationErrors lists all that is wrong with the configurations in the folder of a pack."""
    with gathering() as errors:
        for file in sorted(folder.glob("config.*.json")):
            _read(file)
    if errors:
        raise DeclarationErrors(f"{folder.name}: {len(errors)} mistakes", errors)


def read(file: Path) -> Configuration:
    """What one file says; DeclarationErrors lists all that is wrong with it."""
    with gathering() as errors:
        found = _read(file)
    if errors:
        raise DeclarationErrors(f"{file.name}: {len(errors)} mistakes", errors)
    return found


def _read(file: Path) -> Configuration:
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f'"{file}" cannot be read: {error}', "save it as text in UTF-8") from None
    return parse(text, str(file), rules())
