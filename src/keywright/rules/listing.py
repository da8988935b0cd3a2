"""Every code there is, as a table: who asks it, when, and how bad it is."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from keywright.pages.catalogue import codes, page

from .asking import CRASHED
from .catalogue import HAZARDS, RULES
from .infra.catalogue import INFRA
from .models import MODELS
from .options import Options
from .parameters import Parameter, parameters
from .rule import LEVELS, Confidence, Level, Rule, Severity

Asked: TypeAlias = Level | Literal["compiler", "migrations", "preview", "all"]
"""When a code may be told: a level of rules; what does not compile; versions; a preview that is guarded; always."""

ASKED: tuple[Asked, ...] = ("compiler", *LEVELS, "migrations", "preview", "all")
"""All of them."""

FAMILIES = {
    "E": "Declarations and settings", "GEN": "Every engine", "DDB": "DynamoDB", "MDB": "MongoDB",
    "CAS": "Cassandra", "RED": "Redis", "MON": "Monitoring", "INF": "Infrastructure", "NL": "Migrations: the versions",
    "RN": "Migrations: renames", "DS": "Migrations: what is lost", "MF": "Migrations: what may fail on data",
    "BC": "Migrations: what breaks readers", "AP": "Migrations: access patterns", "LK": "Migrations: builds and locks",
    "RB": "Migrations: what is built anew", "BF": "Migrations: backfills", "CO": "Migrations: cost",
    "NE": "Migrations: without effect", "NM": "Migrations: names", "OW": "Migrations: owners",
    "SUP": "Accepting", "RUN": "The tool itself",
}  # fmt: skip
"""Titles by the letters that codes begin with, in the order of tables."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One code."""

    code: str
    """It."""
    name: str
    """The problem in a few words."""
    summary: str
    """One sentence."""
    asked: tuple[Asked, ...]
    """When it may be told."""
    in_dev: Severity
    """How bad it is where an environment follows its models."""
    elsewhere: Severity
    """How bad it is in others."""
    confidence: Confidence
    """How sure it is."""
    is_suppressible: bool
    """Whether it may be accepted for a reason."""
    parameters: tuple[Parameter, ...] = ()
    """What a project may set of it."""

    @property
    def family(self) -> str:
        """The letters that its code begins with."""
        return self.code.rstrip("0123456789")


def entries() -> tuple[Entry, ...]:
    """Every code, in the order of families and numbers."""
    families = list(FAMILIES)
    return tuple(sorted(_entries(), key=lambda one: (families.index(one.family), one.code)))


def _entries() -> Iterator[Entry]:
    asked: dict[str, Rule] = {rule.code: rule for rule in (*MODELS, *INFRA)}
    hazards = {rule.code: rule for rule in RULES} | {CRASHED.code: CRASHED}
    for code in codes():
        if (rule := asked.get(code)) is not None:
            levels = tuple(level for level in LEVELS if rule.finder(level) is not None)
            yield _entry(rule, levels, tuple(parameters(rule).values()))
        elif (rule := hazards.get(code)) is not None:
            is_hazard = any(rule.code == one.code for one in HAZARDS) or code.startswith("NL")
            yield _entry(rule, ("migrations",) if is_hazard else ("all",))
        else:
            one = page(code)
            yield _entry(Rule(code, is_suppressible=False), ("preview",) if one.is_of_previews else ("compiler",))


def _entry(rule: Rule, asked: tuple[Asked, ...], found: tuple[Parameter, ...] = ()) -> Entry:
    options = Options()
    return Entry(
        code=rule.code,
        name=rule.name,
        summary=rule.summary,
        asked=asked,
        in_dev=options.severity(rule, follows_models=True) or rule.severity,
        elsewhere=options.severity(rule, follows_models=False) or rule.severity,
        confidence=rule.confidence,
        is_suppressible=rule.is_suppressible,
        parameters=found,
    )
