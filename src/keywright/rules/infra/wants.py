"""What hardening wants of a resource: arguments, and what they are to be."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from keywright.rules.rule import Severity


@dataclass(frozen=True, slots=True)
class Want:
    """One argument, and what it is to be."""

    argument: str
    """Its path, such as `pointInTimeRecovery.enabled`."""
    is_met: Callable[[Any], bool]
    """Whether a value will do; None stands for one that is not said."""
    problem: str
    """What comes of it otherwise; a number of days is told behind it."""
    help: str
    """What to do."""
    remedy: Any = None
    """The value that a remediation sets; None where there is none that suits everybody."""


@dataclass(frozen=True, slots=True)
class Row:
    """One rule: on which resources, and what it wants of them."""

    code: str
    """Its code."""
    type: str
    """The type of the resources."""
    wants: tuple[Want, ...]
    """What it wants, in the order in which it says so."""
    peers: str
    """What other tools call it."""
    severity: Severity = "warning"
    """How bad it is."""
    in_dev: Severity = "info"
    """How bad it is in development."""
    takes_days: bool = False
    """Whether what it wants is a number of days, which is its parameter."""


def _is_on(value: Any) -> bool:
    return value is not None and str(value).lower() == "true"


def _is_not_off(value: Any) -> bool:
    return value is None or _is_on(value)


def is_said(value: Any) -> bool:
    """Whether a value is said, and not empty."""
    return bool(value)


def on(argument: str, problem: str, help: str, remedy: Any = None) -> Want:
    """An argument that is to be true."""
    return Want(argument, _is_on, problem, help, remedy)


def not_off(argument: str, problem: str, help: str) -> Want:
    """An argument that is true where nobody says otherwise."""
    return Want(argument, _is_not_off, problem, help)


def said(argument: str, problem: str, help: str) -> Want:
    """An argument that is to be said, whatever it is."""
    return Want(argument, is_said, problem, help)
