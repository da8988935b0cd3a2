"""A policy pack's `config.<environment>.json`: enforcement and parameters of rules.

The format is defined by Pulumi: https://www.pulumi.com/docs/insights/policy/configuration/, 2026-11-22.
"""

import json
import re
from collections.abc import Collection, Mapping
from typing import Any, Literal, TypeAlias, get_args

from keywright.errors import DeclarationError, Place, UsageError, did_you_mean, quoted, report
from keywright.record import Record, field, replace

from .options import RuleOptions
from .parameters import checked, parameters
from .rule import Rule, Severity

Enforcement: TypeAlias = Literal["advisory", "mandatory", "remediate", "disabled"]
"""Report, reject, correct if the rule has a remediation, or do not run."""

ENFORCEMENTS: tuple[Enforcement, ...] = get_args(Enforcement)
"""All enforcements."""

ALL, LEVEL, EXCLUDED = "all", "enforcementLevel", "excludeFor"
"""The key for every rule, and the keys that each rule may have besides its parameters."""


class PackConfiguration(Record):
    """The contents of one file, by the codes of rules."""

    enforcements: Mapping[str, Enforcement] = field(default_factory=dict)
    """Enforcements of the rules in the file."""
    parameters: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Values of parameters by code and name."""
    excluded: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Patterns of the names that a rule does not check."""

    def options(self, options: RuleOptions, rules: Collection[Rule], *, follows_models: bool) -> RuleOptions:
        """Options with the file's settings on top: mandatory rules report errors, advisory rules do not.

        follows_models: whether the environment follows its models, as development does.
        """
        severities = dict(options.severities)
        for rule in rules:
            usual = (rule.in_dev or rule.severity) if follows_models else rule.severity
            if rule.code in self.enforcements:
                severities[rule.code] = _severity(self.enforcements[rule.code], usual)
        merged = {code: {**options.parameters.get(code, {}), **values} for code, values in self.parameters.items()}
        return replace(options, severities=severities, parameters={**options.parameters, **merged})


def schema(rule: Rule) -> dict[str, dict[str, Any]]:
    """The settings of a rule in a configuration, as properties of a JSON Schema."""
    names = {"type": "array", "items": {"type": "string"}, "default": []}
    return {EXCLUDED: names, **{name: parameter.schema for name, parameter in parameters(rule).items()}}


def parse(text: str, file: str, rules: Collection[Rule]) -> PackConfiguration:
    """The contents of a file; each mistake in it is reported with its line.

    file: its name in messages. rules: all rules.
    """
    duplicates: list[str] = []
    try:
        document = json.loads(text, object_pairs_hook=lambda pairs: _object(pairs, duplicates))
    except ValueError as error:
        line = getattr(error, "lineno", 0)
        report(
            DeclarationError("E0403", f"the file is not valid JSON: {error}", Place(file, line), "correct the syntax")
        )
        return PackConfiguration()
    if not isinstance(document, dict):
        report(DeclarationError("E0402", "the file contains no object", Place(file, 1), 'write {"all": "advisory"}'))
        return PackConfiguration()
    reading = _Reading(text, file, rules)
    for key in duplicates:
        reading.report_at("E0404", f'the key "{key}" occurs twice', key, "keep one of them")
    return reading.configuration(document)


def _object(pairs: list[tuple[str, Any]], duplicates: list[str]) -> dict[str, Any]:
    """An object; duplicate keys are collected, because JSON would silently ignore the first of them."""
    keys = [key for key, _ in pairs]
    duplicates += (key for key in dict.fromkeys(keys) if keys.count(key) > 1)
    return dict(pairs)


class _Reading:
    """The reader of one file."""

    def __init__(self, text: str, file: str, rules: Collection[Rule]) -> None:
        self._text, self._file = text, file
        self._rules = {rule.name: rule for rule in rules}
        self._codes = {rule.code: rule.name for rule in rules}

    def configuration(self, document: dict[str, Any]) -> PackConfiguration:
        enforcements: dict[str, Enforcement] = {}
        values_of: dict[str, dict[str, Any]] = {}
        for name, settings in document.items():
            if name != ALL and name not in self._rules:
                help = (
                    f'write "{self._codes[name]}"'
                    if name in self._codes
                    else did_you_mean(name, self._rules, "keywright rules")
                )
                self.report_at("E0401", f'there is no rule "{name}"', name, help)
                continue
            level, values = self._values(name, settings)
            for code in (rule.code for rule in self._rules.values()) if name == ALL else (self._rules[name].code,):
                if level is not None and (name != ALL or code not in enforcements):
                    enforcements[code] = level
            if name != ALL and values:
                values_of[self._rules[name].code] = values
        excluded = {code: tuple(values.pop(EXCLUDED)) for code, values in values_of.items() if EXCLUDED in values}
        return PackConfiguration(enforcements, {code: values for code, values in values_of.items() if values}, excluded)

    def _values(self, name: str, settings: Any) -> tuple[Enforcement | None, dict[str, Any]]:
        """(enforcement, parameters) of one key."""
        if not isinstance(settings, dict):
            return self._level(name, name, settings), {}
        values: dict[str, Any] = {}
        level: Enforcement | None = None
        for key, value in settings.items():
            path = f"{name}.{key}"
            if key == LEVEL:
                level = self._level(path, key, value)
            elif name == ALL:
                self.report_at("E0401", f'"{path}" is not a setting', key, f"the only setting for all rules is {LEVEL}")
            elif key == EXCLUDED:
                if isinstance(value, list) and all(isinstance(pattern, str) for pattern in value):
                    values[key] = value
                else:
                    self.report_at(
                        "E0402", f'"{path}" is {json.dumps(value)}', key, 'it takes a list such as ["scratch-*"]'
                    )
            else:
                try:
                    values[key] = checked(self._rules[name], key, value)
                except UsageError as error:
                    is_known = key in parameters(self._rules[name])
                    help = error.help if is_known else did_you_mean(key, [LEVEL, *schema(self._rules[name])])
                    problem = f'"{path}" is {json.dumps(value)}' if is_known else f'"{path}" is not a setting'
                    self.report_at("E0402" if is_known else "E0401", problem, key, help)
        return level, values

    def _level(self, path: str, key: str, value: Any) -> Enforcement | None:
        if value in ENFORCEMENTS:
            return value  # type: ignore[no-any-return]  # it is in ENFORCEMENTS
        self.report_at("E0402", f'"{path}" is {json.dumps(value)}', key, f"it takes {quoted(ENFORCEMENTS)}")
        return None

    def report_at(self, code: str, problem: str, key: str, help: str) -> None:
        """Report a mistake at the line of a key."""
        report(DeclarationError(code, problem, Place(self._file, self._line(key)), help))

    def _line(self, key: str) -> int:
        match = re.search(rf"{re.escape(json.dumps(key))}\s*:", self._text)
        return self._text.count("\n", 0, match.start()) + 1 if match else 1


def _severity(enforcement: Enforcement, usual: Severity) -> Severity | Literal["off"]:
    if enforcement == "disabled":
        return "off"
    if enforcement == "advisory":
        return "warning" if usual == "error" else usual
    return "error"
