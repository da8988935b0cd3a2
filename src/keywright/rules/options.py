"""Options of rules in a project and an environment: profile, selection, severities and parameters."""

import json
from collections.abc import Collection, Iterable, Mapping
from fnmatch import fnmatchcase
from typing import Any, Literal, TypeAlias, get_args

from keywright.errors import UsageError, did_you_mean, quoted
from keywright.record import Record, field, replace

from .parameters import checked
from .rule import SEVERITIES, Rule, Severity

Profile: TypeAlias = Literal["relaxed", "default", "strict"]
"""`relaxed`: only declared errors; `default`: all, inferred ones as warnings; `strict`: warnings as errors."""

PROFILES: tuple[Profile, ...] = get_args(Profile)
"""All profiles."""

FILE_IGNORES = "per-file-ignores"
"""The key of rules that are ignored in some files, as Ruff calls it."""

OWNER_IGNORES = "per-owner-ignores"
"""The key of rules that are ignored in the stores of some owners."""

KEYS = ("profile", "select", "ignore", FILE_IGNORES, OWNER_IGNORES)
"""The keys of a table of options that are no codes or names of rules."""

_SETTINGS = (*SEVERITIES, "off")


class RuleOptions(Record, kw_only=True):
    """Options of rules."""

    profile: Profile = "default"
    """The profile, which determines severities."""
    select: tuple[str, ...] = ()
    """Codes, prefixes of codes or names of the rules to run; empty for all rules."""
    ignore: tuple[str, ...] = ()
    """Codes, prefixes of codes or names of the rules that do not run."""
    file_ignores: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Codes, prefixes of codes or names of the rules whose findings are left out, by pattern of the file's path."""
    owner_ignores: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Codes, prefixes of codes or names of the rules whose findings are left out, by pattern of the store's owner."""
    severities: Mapping[str, Severity | Literal["off"]] = field(default_factory=dict)
    """Configured severities by code."""
    parameters: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Values of parameters by code and name."""

    def severity(self, rule: Rule, *, follows_models: bool) -> Severity | None:
        """The severity of a rule's findings; None for a rule that does not run or is not shown.

        follows_models: whether the environment follows its models, as development does.
        """
        if not _matches(rule, self.select or ("",)) or _matches(rule, self.ignore):
            return None
        configured = self.severities.get(rule.code)
        if configured is not None:
            return None if configured == "off" else configured
        usual = (rule.in_dev or rule.severity) if follows_models else rule.severity
        if self.profile == "relaxed":
            return usual if rule.confidence == "declared" and usual == "error" else None
        if self.profile == "strict":
            return "error" if usual == "warning" else usual
        return "warning" if rule.confidence == "inferred" and usual == "error" else usual

    def ignores(self, rule: Rule, file: str, owner: str) -> bool:
        """Whether a rule's findings in a file, or in the stores of an owner, are left out.

        file: path relative to the project, with slashes. owner: empty for a store without an owner.
        """
        choices = ((file, self.file_ignores), (owner, self.owner_ignores if owner else {}))
        return any(
            fnmatchcase(name, pattern) and _matches(rule, codes)
            for name, ignores in choices
            for pattern, codes in ignores.items()
        )

    def arguments(self, rule: Rule) -> Mapping[str, Any]:
        """Values of a rule's parameters: those of the project, otherwise those of the profile."""
        return {**(rule.strict if self.profile == "strict" else {}), **self.parameters.get(rule.code, {})}

    def with_choice(self, select: Iterable[str], ignore: Iterable[str], profile: str | None) -> "RuleOptions":
        """The options with those of a command line on top."""
        effective: Any = profile or self.profile
        return replace(
            self, select=tuple(select) or self.select, ignore=(*self.ignore, *ignore), profile=effective
        )  # fmt: skip


def _ignores(key: str, example: str, value: object, rules: Collection[Rule]) -> Mapping[str, tuple[str, ...]]:
    if not isinstance(value, Mapping):
        help = f'such as {key} = {{"{example}" = ["GEN018"]}}'
        raise OptionError(f'"{key}" is {value!r}, it takes a table', help, key)
    return {pattern: _codes(pattern, codes, rules, key) for pattern, codes in value.items()}


class OptionError(UsageError):
    """A mistake in a table of options."""

    def __init__(self, problem: str, help: str, *path: str) -> None:
        super().__init__(problem, help)
        self.path = path
        """The keys of the wrong option, outermost first."""


def read(table: Mapping[str, object], rules: Collection[Rule]) -> RuleOptions:
    """The options in a table, such as `[tool.keywright.rules]`.

    table: the keys of `KEYS`, and a table by the code or name of a rule with `severity` and parameters.
    Raises OptionError for a mistake in it.
    """
    by_code = {rule.code: rule for rule in rules}
    values: dict[str, Any] = {}
    severities: dict[str, Any] = {}
    parameters: dict[str, dict[str, Any]] = {}
    for key, value in table.items():
        if key == "profile":
            values[key] = _member(key, value, PROFILES)
        elif key in ("select", "ignore"):
            values[key] = _codes(key, value, rules)
        elif key == FILE_IGNORES:
            values["file_ignores"] = _ignores(key, "models/legacy/*", value, rules)
        elif key == OWNER_IGNORES:
            values["owner_ignores"] = _ignores(key, "search-team", value, rules)
        elif (rule := by_code.get(key) or _named(key, rules)) is None:
            keys = [*(rule.code for rule in rules), *KEYS]
            raise OptionError(f'there is no rule "{key}"', did_you_mean(key, keys, "keywright rules"), key)
        elif not isinstance(value, Mapping):
            help = f'such as {key} = {{severity = "warning"}}'
            raise OptionError(f'"{key}" is {value!r}, it takes a table', help, key)
        else:
            code = rule.code
            for name, setting in value.items():
                if name == "severity":
                    severities[code] = _member(f"severity of {code}", setting, _SETTINGS, key, name)
                else:
                    parameters.setdefault(code, {})[name] = _checked(rule, name, setting, key)
    return RuleOptions(**values, severities=severities, parameters=parameters)


def known_codes(codes: Iterable[str], rules: Collection[Rule]) -> tuple[str, ...]:
    """The codes, prefixes of codes or names, if each matches a rule; raises UsageError otherwise."""
    codes = tuple(codes)
    for code in codes:
        if not any(_matches(rule, (code,)) for rule in rules):
            raise UsageError(
                f'there is no rule "{code}"', did_you_mean(code, [rule.code for rule in rules], "keywright rules")
            )
    return codes


def _named(name: str, rules: Iterable[Rule]) -> Rule | None:
    """The rule with a name; only possible names are compared, because a rule's name is read from its page."""
    return next((rule for rule in rules if rule.name == name), None) if name.islower() else None


def _matches(rule: Rule, codes: Iterable[str]) -> bool:
    return any(rule.name == code if code.islower() else rule.code.startswith(code) for code in codes)


def _checked(rule: Rule, name: str, value: object, key: str) -> Any:
    try:
        return checked(rule, name, value)
    except UsageError as error:
        raise OptionError(error.problem, error.help, key, name) from None


def _member(option: str, value: object, allowed: Collection[str], *path: str) -> str:
    if value not in allowed:
        raise OptionError(f'"{option}" is {value!r}', f"it takes {quoted(allowed)}", *(path or (option,)))
    return str(value)


def _codes(key: str, value: object, rules: Collection[Rule], *above: str) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(code, str) and code for code in value):
        example = f'such as {json.dumps(key) if above else key} = ["MDB002"]'
        raise OptionError(f'"{key}" is {value!r}, it takes a list of codes', example, *above, key)
    try:
        return known_codes(value, rules)
    except UsageError as error:
        raise OptionError(error.problem, error.help, *above, key) from None
