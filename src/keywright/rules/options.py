"""What a project and an environment say of rules: a profile, which are asked, how bad each is, and parameters."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeAlias, get_args

from keywright.errors import UsageError, did_you_mean, quoted

from .parameters import checked
from .rule import Rule, Severity

Profile: TypeAlias = Literal["relaxed", "default", "strict"]
"""Only errors that follow from what was written; everything, guesses at most as warnings; warnings as errors too."""

PROFILES: tuple[Profile, ...] = get_args(Profile)
"""All of them."""

_SEVERITIES = (*get_args(Severity), "off")


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How rules are asked."""

    profile: Profile = "default"
    """Which findings count how much."""
    select: tuple[str, ...] = ()
    """Codes, beginnings of codes or names of the rules that are asked; empty for all."""
    ignore: tuple[str, ...] = ()
    """The same of rules that are not asked."""
    severities: Mapping[str, Severity | Literal["off"]] = field(default_factory=dict)
    """How bad a finding is by the code of its rule, where the project says so."""
    parameters: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Values of parameters by code."""

    def severity(self, rule: Rule, *, follows_models: bool) -> Severity | None:
        """How bad a finding of a rule is; None where it is not asked, or not shown.

        follows_models: whether the environment follows its models, as development does.
        """
        if not _is_meant(rule, self.select or ("",)) or _is_meant(rule, self.ignore):
            return None
        said = self.severities.get(rule.code)
        if said is not None:
            return None if said == "off" else said
        usual = (rule.in_dev or rule.severity) if follows_models else rule.severity
        if self.profile == "relaxed":
            return usual if rule.confidence == "declared" and usual == "error" else None
        if self.profile == "strict":
            return "error" if usual == "warning" else usual
        return "warning" if rule.confidence == "inferred" and usual == "error" else usual

    def given(self, rule: Rule) -> Mapping[str, Any]:
        """Values of a rule's parameters: those of the profile, and above them what the project says."""
        return {**(rule.strict if self.profile == "strict" else {}), **self.parameters.get(rule.code, {})}

    def with_choice(self, select: Iterable[str], ignore: Iterable[str], profile: str | None) -> "Options":
        """The same with what a command line says on top."""
        chosen: Any = profile or self.profile
        return replace(
            self, select=tuple(select) or self.select, ignore=(*self.ignore, *ignore), profile=chosen
        )  # fmt: skip


class OptionError(UsageError):
    """A table of options that says what cannot be."""

    def __init__(self, problem: str, help: str, *path: str) -> None:
        super().__init__(problem, help)
        self.path = path
        """The keys that lead to it."""


def read(table: Mapping[str, object], rules: Collection[Rule]) -> Options:
    """The options that a table says, such as `[tool.keywright.rules]`.

    table: `profile`, `select`, `ignore`, and a table by the code or name of a rule with `severity` and parameters.
    OptionError says what is wrong with it.
    """
    by_code = {rule.code: rule for rule in rules}
    values: dict[str, Any] = {}
    severities: dict[str, Any] = {}
    parameters: dict[str, dict[str, Any]] = {}
    for key, value in table.items():
        if key == "profile":
            values[key] = _one_of(key, value, PROFILES)
        elif key in ("select", "ignore"):
            values[key] = _codes(key, value, rules)
        elif (rule := by_code.get(key) or _named(key, rules)) is None:
            known = [*(rule.code for rule in rules), "profile", "select", "ignore"]
            raise OptionError(f'there is no rule "{key}"', did_you_mean(key, known), key)
        elif not isinstance(value, Mapping):
            help = f'such as {key} = {{severity = "warning"}}'
            raise OptionError(f'"{key}" is {value!r}, it takes a table', help, key)
        else:
            code = rule.code
            for name, said in value.items():
                if name == "severity":
                    severities[code] = _one_of(f"severity of {code}", said, _SEVERITIES, key, name)
                else:
                    parameters.setdefault(code, {})[name] = _checked(rule, name, said, key)
    return Options(**values, severities=severities, parameters=parameters)


def chosen(codes: Iterable[str], rules: Collection[Rule]) -> tuple[str, ...]:
    """The codes, beginnings of codes or names, if each is of some rule; UsageError otherwise."""
    codes = tuple(codes)
    for code in codes:
        if not any(_is_meant(rule, (code,)) for rule in rules):
            raise UsageError(f'there is no rule "{code}"', did_you_mean(code, [rule.code for rule in rules]))
    return codes


def _named(name: str, rules: Iterable[Rule]) -> Rule | None:
    """The rule of a name; names are looked up on pages, so only what may be one is."""
    return next((rule for rule in rules if rule.name == name), None) if name.islower() else None


def _is_meant(rule: Rule, codes: Iterable[str]) -> bool:
    return any(rule.name == code if code.islower() else rule.code.startswith(code) for code in codes)


def _checked(rule: Rule, name: str, value: object, key: str) -> Any:
    try:
        return checked(rule, name, value)
    except UsageError as error:
        raise OptionError(error.problem, error.help, key, name) from None


def _one_of(what: str, value: object, known: Collection[str], *path: str) -> str:
    if value not in known:
        raise OptionError(f'"{what}" is {value!r}', f"it takes {quoted(known)}", *(path or (what,)))
    return str(value)


def _codes(key: str, value: object, rules: Collection[Rule]) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(one, str) and one for one in value):
        raise OptionError(f'"{key}" is {value!r}, it takes a list of codes', f'such as {key} = ["MDB002"]', key)
    try:
        return chosen(value, rules)
    except UsageError as error:
        raise OptionError(error.problem, error.help, key) from None
