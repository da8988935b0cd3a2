"""The validators of a pattern's calls, prepared once."""

from collections.abc import Callable
from typing import Any

from keywright.ir.pattern import COMBINED
from keywright.record import Record

from ..errors import InvalidValue
from .call import AnyInstance, ArgumentValues, PatternSubject, instance_of, step_of, values_of


class Checks(Record):
    """The validators of one pattern."""

    values: ArgumentValues
    """Validator of its values, by field path."""
    instance: AnyInstance
    """Validator of an instance that it writes."""
    step: Callable[[Any], Any]
    """Validator of the step of an increment."""
    limit: Callable[[Any], int | None]
    """Validator of the limit of a page."""


def checks_of(subject: PatternSubject) -> Checks:
    """The validators of a pattern: those of values are compiled now, the one of instances on first use."""
    kind = subject.pattern.kind
    return Checks(
        _unchanged if kind == "put" or kind in COMBINED else values_of(subject),
        instance_of(subject) if kind == "put" else _unchanged,
        step_of(subject) if kind == "increment" else _unchanged,
        limit_of_page(subject.pattern.name, subject.pattern.limit),
    )


def _unchanged(value: Any) -> Any:
    return value


NO_CHECKS = Checks(_unchanged, _unchanged, _unchanged, _unchanged)
"""For a transaction, because its writes have their own checks."""


def limit_of_page(name: str, maximum: int | None) -> Callable[[Any], int | None]:
    """The validator of the limit of a page, at most the pattern's own."""

    def limit(requested: Any) -> int | None:
        if requested is None:
            return maximum
        if type(requested) is not int or requested < 1 or (maximum is not None and requested > maximum):
            allowed = f"from 1 to {maximum}, the limit of the pattern" if maximum is not None else "of 1 or more"
            raise InvalidValue(name, "limit", type(requested).__name__, f"it takes a whole number {allowed}")
        return requested

    return limit
