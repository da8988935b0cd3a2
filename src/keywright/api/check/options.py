"""Reads the options of rules from pyproject.toml and the command line."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from keywright.errors import DeclarationError, Place
from keywright.project.settings import FILE, Settings
from keywright.rules import options
from keywright.rules.models import rules_with
from keywright.rules.options import OptionError, RuleOptions


def options_of(
    settings: Settings, select: Iterable[str] = (), ignore: Iterable[str] = (), profile: str | None = None
) -> RuleOptions:
    """The options of a project with those of a command line; raises an error for invalid options of either."""
    select, ignore = tuple(select), tuple(ignore)
    try:
        rules = rules_with((*_codes(settings), *select, *ignore))
        rule_options = options.read(settings.rules, rules)
    except OptionError as error:
        file = settings.root / FILE
        raise DeclarationError("E0402", error.problem, Place(str(file), _line(file, error.path)), error.help) from None
    return rule_options.with_choice(options.known_codes(select, rules), options.known_codes(ignore, rules), profile)


def _codes(settings: Settings) -> Iterator[str]:
    """The codes and names of rules in the settings of a project."""
    for key, value in settings.rules.items():
        if key not in options.KEYS:
            yield key
        for codes in value.values() if key == options.FILE_IGNORES and isinstance(value, Mapping) else [value]:
            if key in options.KEYS and isinstance(codes, list):
                yield from (code for code in codes if isinstance(code, str))


def _line(file: Path, path: Iterable[str]) -> int:
    """Line of a key of the table; each key of the path is on or below the line of the key before it."""
    lines = file.read_text(encoding="utf-8").splitlines()
    at = next((at for at, line in enumerate(lines) if line.lstrip().startswith("[tool.keywright.rules")), 0)
    for key in path:
        at = next((number for number in range(at, len(lines)) if key in lines[number]), at)
    return at + 1
