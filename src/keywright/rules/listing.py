"""Every code as a table: scope, severity, confidence and parameters."""

from collections.abc import Iterator
from typing import Literal, TypeAlias

from keywright.pages.catalogue import codes, page
from keywright.record import Record

from .catalogue import CHANGES, RULES
from .infra.catalogue import INFRA
from .models import CATALOGUES, MODELS
from .options import RuleOptions
from .parameters import Parameter, parameters
from .rule import LEVELS, Confidence, Level, Rule, Severity
from .run import CRASHED

RuleScope: TypeAlias = Level | Literal["compiler", "migrations", "preview", "all"]
"""The input that a code reports on: a level of rules, the compiler, migrations, a guarded preview, or any input."""

SCOPES: tuple[RuleScope, ...] = ("compiler", *LEVELS, "migrations", "preview", "all")
"""All scopes."""

FAMILIES = {
    "E": "Declarations and settings", "GEN": "Every engine",
    **{catalogue.prefix: catalogue.title for catalogue in CATALOGUES},
    "MON": "Monitoring", "INF": "Infrastructure", "NL": "Migrations: the chain",
    "RN": "Migrations: renames", "DS": "Migrations: data loss", "MF": "Migrations: failures on existing data",
    "BC": "Migrations: breaking changes", "AP": "Migrations: access patterns", "LK": "Migrations: builds and locks",
    "RB": "Migrations: rebuilds", "BF": "Migrations: backfills", "CO": "Migrations: cost",
    "NE": "Migrations: without effect", "NM": "Migrations: names", "OW": "Migrations: owners",
    "SUP": "Suppressions", "RUN": "The tool itself",
}  # fmt: skip
"""Titles of the families of codes, in the order of tables."""


class Entry(Record, kw_only=True):
    """One code."""

    code: str
    """The code."""
    name: str
    """The problem in a few words."""
    summary: str
    """One sentence."""
    scope: tuple[RuleScope, ...]
    """The input that it reports on."""
    in_dev: Severity
    """Its severity in an environment that follows its models."""
    elsewhere: Severity
    """Its severity in other environments."""
    confidence: Confidence
    """Its confidence."""
    is_suppressible: bool
    """Whether it can be suppressed."""
    parameters: tuple[Parameter, ...] = ()
    """The parameters that a project may set."""

    @property
    def family(self) -> str:
        """The letters of its code."""
        return self.code.rstrip("0123456789")


def entries() -> tuple[Entry, ...]:
    """Every code, in the order of families and numbers."""
    families = list(FAMILIES)
    return tuple(sorted(_entries(), key=lambda entry: (families.index(entry.family), entry.code)))


def _entries() -> Iterator[Entry]:
    rules: dict[str, Rule] = {rule.code: rule for rule in (*MODELS, *INFRA)}
    others = {rule.code: rule for rule in RULES} | {CRASHED.code: CRASHED}
    for code in codes():
        if (rule := rules.get(code)) is not None:
            levels = tuple(level for level in LEVELS if rule.finder(level) is not None)
            yield _entry(rule, levels, tuple(parameters(rule).values()))
        elif (rule := others.get(code)) is not None:
            is_of_migrations = any(rule.code == change.code for change in CHANGES) or code.startswith("NL")
            yield _entry(rule, ("migrations",) if is_of_migrations else ("all",))
        else:
            is_of_previews = page(code).is_of_previews
            yield _entry(Rule(code, is_suppressible=False), ("preview",) if is_of_previews else ("compiler",))


def _entry(rule: Rule, scope: tuple[RuleScope, ...], parameters: tuple[Parameter, ...] = ()) -> Entry:
    options = RuleOptions()
    return Entry(
        code=rule.code,
        name=rule.name,
        summary=rule.summary,
        scope=scope,
        in_dev=options.severity(rule, follows_models=True) or rule.severity,
        elsewhere=options.severity(rule, follows_models=False) or rule.severity,
        confidence=rule.confidence,
        is_suppressible=rule.is_suppressible,
        parameters=parameters,
    )
