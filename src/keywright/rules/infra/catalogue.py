"""Every rule of Pulumi programs: the catalogue of infrastructure on one screen."""

from functools import cache, partial
from typing import Any

from keywright.rules.models import MODELS
from keywright.rules.rule import Level, Rule

from .hardening import HARDENING


def _in(code: str, name: str, **more: Any) -> Rule:
    return Rule(code, module=f"keywright.rules.infra.{name.replace('-', '_')}", **more)


_risky = partial(_in, in_dev="info")
_careless = partial(_in, in_dev="warning")
_mild = partial(_in, severity="warning")

SHARP = (_risky("INF601", "data-resource-unprotected"),)
"""Sharp edges of Pulumi and of its providers."""

INFRA = (*HARDENING, *SHARP)
"""What only a program can have."""

LEVELS: tuple[Level, ...] = ("stored", "resource", "stack")
"""What a rule is told of a program."""


@cache
def of_programs() -> tuple[Rule, ...]:
    """All rules that judge resources: these, and those of models that are told of stored things or of programs."""
    return (*INFRA, *(rule for rule in MODELS if any(rule.finder(level) for level in LEVELS)))
