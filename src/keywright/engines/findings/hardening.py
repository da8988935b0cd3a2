"""Required arguments of resources, for hardening."""

from collections.abc import Callable
from typing import Any

from keywright.record import Record

from .rule import Severity


class RequiredArgument(Record):
    """One argument with its allowed values."""

    argument: str
    """Its path, such as `pointInTimeRecovery.enabled`."""
    is_met: Callable[[Any], bool]
    """Whether a value is allowed; None is a missing argument."""
    problem: str
    """The consequence otherwise; the message appends a number of days, if the rule has one."""
    help: str
    """What to do."""
    remedy: Any = None
    """The value that a remediation sets; None if no value suits every project."""


class HardeningRow(Record):
    """One rule: a type of resource and its required arguments."""

    code: str
    """Its code."""
    type: str
    """The type of the resources."""
    required: tuple[RequiredArgument, ...]
    """The required arguments, in the order of messages."""
    peers: str
    """The same rule in other tools."""
    severity: Severity = "warning"
    """Its severity."""
    in_dev: Severity = "info"
    """Its severity in development."""
    takes_days: bool = False
    """Whether its argument is a number of days, which is its parameter."""


def _is_on(value: Any) -> bool:
    return value is not None and str(value).lower() == "true"


def _is_not_off(value: Any) -> bool:
    return value is None or _is_on(value)


def is_stated(value: Any) -> bool:
    """Whether a value is set, and not empty."""
    return bool(value)


def on(argument: str, problem: str, help: str, remedy: Any = None) -> RequiredArgument:
    """An argument that must be true."""
    return RequiredArgument(argument, _is_on, problem, help, remedy)


def not_off(argument: str, problem: str, help: str) -> RequiredArgument:
    """An argument that must be true or missing, because true is its default."""
    return RequiredArgument(argument, _is_not_off, problem, help)


def stated(argument: str, problem: str, help: str) -> RequiredArgument:
    """An argument that must be set, to any value."""
    return RequiredArgument(argument, is_stated, problem, help)
