"""Every rule of Pulumi programs: the catalogue of infrastructure on one screen."""

from functools import cache, partial
from typing import Any

from keywright.rules.models import MODELS
from keywright.rules.rule import Level, Rule

from .hardened import HARDENING


def _in(code: str, name: str, **more: Any) -> Rule:
    return Rule(code, module=f"keywright.rules.infra.{name.replace('-', '_')}", **more)


_risky = partial(_in, in_dev="info")
_careless = partial(_in, in_dev="warning")
_mild = partial(_in, severity="warning")

CAREFUL = (
    _mild("INF104", "dynamodb-no-backup-plan", in_dev="info"),
    _careless("INF105", "dynamodb-cross-account"),
    _careless("INF203", "elasticache-no-auth"),
    _mild("INF208", "elasticache-old-engine", in_dev="info"),
    _in("INF210", "redis-port-open"),
    _mild("INF306", "docdb-single-az", in_dev="info"),
    _mild("INF308", "docdb-no-tls", in_dev="info"),
)
"""Hardening that takes more than a look at one argument."""

SHARP = (
    _risky("INF601", "data-resource-unprotected"),
    _careless("INF603", "autoscaled-capacity-managed"),
    _mild("INF605", "gsi-legacy-keys"),
    _in("INF606", "gsi-resource-mixed"),
    _in("INF607", "replicas-mixed"),
    _mild("INF608", "billing-mode-implicit"),
    _mild("INF609", "update-timeout-short"),
    _in("INF610", "ttl-block-wrong"),
    _mild("INF611", "sse-flag-misread", in_dev="info"),
    _careless("INF612", "secret-in-state"),
    _risky("INF613", "docdb-no-final-snapshot"),
    _in("INF614", "provider-class-in-main"),
    _in("INF615", "uri-in-props"),
    _mild("INF616", "atlas-legacy-resource"),
)
"""Sharp edges of Pulumi and of its providers."""

INFRA = tuple(sorted((*HARDENING, *CAREFUL, *SHARP), key=lambda rule: rule.code))
"""What only a program can have."""

LEVELS: tuple[Level, ...] = ("stored", "resource", "stack")
"""What a rule is told of a program."""


@cache
def of_programs() -> tuple[Rule, ...]:
    """All rules that judge resources: these, and those of models that are told of stored things or of programs."""
    return (*INFRA, *(rule for rule in MODELS if any(rule.finder(level) for level in LEVELS)))
