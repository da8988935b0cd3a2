"""What a pack's `config.<environment>.json` says of rules: how they are enforced there, and their parameters.

Its form is Pulumi's: https://www.pulumi.com/docs/insights/policy/configuration/, 2026-11-22.
"""

import json
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeAlias, get_args

from keywright.errors import DeclarationError, Place, UsageError, did_you_mean, quoted, report

from .options import Options
from .parameters import checked, parameters
from .rule import Rule, Severity

Enforcement: TypeAlias = Literal["advisory", "mandatory", "remediate", "disabled"]
"""Told, refused, put right where a rule can do it, or not asked."""

ENFORCEMENTS: tuple[Enforcement, ...] = get_args(Enforcement)
"""All of them."""

ALL, LEVEL, EXCLUDED = "all", "enforcementLevel", "excludeFor"
"""The key for every rule, and those that each may have beside its parameters."""


@dataclass(frozen=True, slots=True)
class Configuration:
    """What one file says, by the codes of rules."""

    enforcements: Mapping[str, Enforcement] = field(default_factory=dict)
    """How findings are dealt with, of the rules that the file says it for."""
    parameters: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Values of parameters."""
    excluded: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Patterns of the names that a rule is not asked about."""

    def options(self, options: Options, rules: Collection[Rule], *, follows_models: bool) -> Options:
        """Options with what the file says on top: what is mandatory there is an error, what is advisory is none.

        follows_models: whether the environment follows its models, as development does.
        """
        severities = dict(options.severities)
        for rule in rules:
            usual = (rule.in_dev or rule.severity) if follows_models else rule.severity
            if rule.code in self.enforcements:
                severities[rule.code] = _severity(self.enforcements[rule.code], usual)
        known = {code: {**options.parameters.get(code, {}), **said} for code, said in self.parameters.items()}
        return replace(options, severities=severities, parameters={**options.parameters, **known})


def schema(rule: Rule) -> dict[str, dict[str, Any]]:
    """What a configuration may say of a rule, as properties of a JSON Schema."""
    names = {"type": "array", "items": {"type": "string"}, "default": []}
    return {EXCLUDED: names, **{name: one.schema for name, one in parameters(rule).items()}}


def parse(text: str, file: str, rules: Collection[Rule]) -> Configuration:
    """What a file says; each mistake in it is reported with its line.

    file: as messages call it. rules: all that there are.
    """
    twice: list[str] = []
    try:
        told = json.loads(text, object_pairs_hook=lambda pairs: _object(pairs, twice))
    except ValueError as error:
        line = getattr(error, "lineno", 0)
        report(DeclarationError("E0403", f"the file is not valid JSON: {error}", Place(file, line), "correct it there"))
        return Configuration()
    if not isinstance(told, dict):
        report(DeclarationError("E0402", "the file holds no object", Place(file, 1), 'write {"all": "advisory"}'))
        return Configuration()
    reading = _Reading(text, file, rules)
    for key in twice:
        reading.wrong("E0404", f'"{key}" is said twice', key, "keep one of them")
    return reading.configuration(told)


def _object(pairs: list[tuple[str, Any]], twice: list[str]) -> dict[str, Any]:
    """An object, noting the keys that it has twice: the first would count for nothing, without a word."""
    keys = [key for key, _ in pairs]
    twice += (key for key in dict.fromkeys(keys) if keys.count(key) > 1)
    return dict(pairs)


class _Reading:
    """One file."""

    def __init__(self, text: str, file: str, rules: Collection[Rule]) -> None:
        self._text, self._file = text, file
        self._rules = {rule.name: rule for rule in rules}
        self._codes = {rule.code: rule.name for rule in rules}

    def configuration(self, told: dict[str, Any]) -> Configuration:
        enforcements: dict[str, Enforcement] = {}
        found: dict[str, dict[str, Any]] = {}
        for name, said in told.items():
            if name != ALL and name not in self._rules:
                help = f'write "{self._codes[name]}"' if name in self._codes else did_you_mean(name, self._rules)
                self.wrong("E0401", f'there is no rule "{name}"', name, help)
                continue
            level, values = self._values(name, said)
            for code in (one.code for one in self._rules.values()) if name == ALL else (self._rules[name].code,):
                if level is not None and (name != ALL or code not in enforcements):
                    enforcements[code] = level
            if name != ALL and values:
                found[self._rules[name].code] = values
        excluded = {code: tuple(values.pop(EXCLUDED)) for code, values in found.items() if EXCLUDED in values}
        return Configuration(enforcements, {code: values for code, values in found.items() if values}, excluded)

    def _values(self, name: str, said: Any) -> tuple[Enforcement | None, dict[str, Any]]:
        """(how it is enforced, parameters) of one key."""
        if not isinstance(said, dict):
            return self._level(name, name, said), {}
        values: dict[str, Any] = {}
        level: Enforcement | None = None
        for key, value in said.items():
            path = f"{name}.{key}"
            if key == LEVEL:
                level = self._level(path, key, value)
            elif name == ALL:
                self.wrong("E0401", f'"{path}" is no setting', key, f"every rule has {LEVEL} alone in common")
            elif key == EXCLUDED:
                if isinstance(value, list) and all(isinstance(one, str) for one in value):
                    values[key] = value
                else:
                    self.wrong("E0402", f'"{path}" is {_shown(value)}', key, 'it takes a list such as ["scratch-*"]')
            else:
                try:
                    values[key] = checked(self._rules[name], key, value)
                except UsageError as error:
                    is_known = key in parameters(self._rules[name])
                    help = error.help if is_known else did_you_mean(key, [LEVEL, *schema(self._rules[name])])
                    problem = f'"{path}" is {_shown(value)}' if is_known else f'"{path}" is no setting'
                    self.wrong("E0402" if is_known else "E0401", problem, key, help)
        return level, values

    def _level(self, path: str, key: str, value: Any) -> Enforcement | None:
        if value in ENFORCEMENTS:
            return value  # type: ignore[no-any-return]  # one of them
        self.wrong("E0402", f'"{path}" is {_shown(value)}', key, f"it takes {quoted(ENFORCEMENTS)}")
        return None

    def wrong(self, code: str, problem: str, key: str, help: str) -> None:
        """Report a mistake, at the line of a key."""
        report(DeclarationError(code, problem, Place(self._file, self._line(key)), help))

    def _line(self, key: str) -> int:
        found = re.search(rf"{re.escape(json.dumps(key))}\s*:", self._text)
        return self._text.count("\n", 0, found.start()) + 1 if found else 1


def _severity(enforcement: Enforcement, usual: Severity) -> Severity | Literal["off"]:
    if enforcement == "disabled":
        return "off"
    if enforcement == "advisory":
        return "warning" if usual == "error" else usual
    return "error"


def _shown(value: Any) -> str:
    return json.dumps(value)
