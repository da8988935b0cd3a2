"""Every rule of Pulumi programs: the catalogue of infrastructure on one screen."""

from functools import cache

from keywright.engines.findings.catalogue import rules_in
from keywright.rules.models import CATALOGUES, MODELS
from keywright.rules.rule import Level, Rule

from .hardening_rules import HARDENING

_rule = rules_in(__package__)

SHARP = (
    _rule("INF601", "data-resource-unprotected", in_dev="info"),
    _rule("INF612", "secret-in-state", in_dev="warning"),
    _rule("INF614", "provider-class-in-main"),
    _rule("INF615", "uri-in-props"),
    _rule("INF618", "database-port-open"),
    _rule("INF619", "security-group-undescribed", severity="info"),
    _rule("INF620", "iam-full-access", severity="warning", in_dev="info"),
    _rule("INF621", "iam-every-resource", severity="warning", in_dev="info"),
    _rule("INF622", "version-past-support", severity="warning", in_dev="info"),
    _rule("INF623", "data-key-unprotected", in_dev="info"),
    _rule("INF624", "password-in-environment", in_dev="warning"),
)
"""Rules for pitfalls of Pulumi for resources of every engine."""

_OF_ENGINES = tuple(rule for catalogue in CATALOGUES for rule in catalogue.resources)

INFRA: tuple[Rule, ...] = tuple(sorted((*HARDENING, *SHARP, *_OF_ENGINES), key=lambda rule: rule.code))
"""Rules that apply to programs only."""

LEVELS: tuple[Level, ...] = ("stored", "resource", "stack")
"""The levels of rules for programs."""


@cache
def of_programs() -> tuple[Rule, ...]:
    """All rules for resources: these, and the rules for models that also check targets or programs."""
    return (*INFRA, *(rule for rule in MODELS if any(rule.finder(level) for level in LEVELS)))
