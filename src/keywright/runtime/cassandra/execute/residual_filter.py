"""Checks residual filters on rows after reading, with times as the server stores them."""

from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import Any

from keywright.access.query import Condition
from keywright.runtime.items import text as forms
from keywright.runtime.residual_filter import Judge
from keywright.runtime.residual_filter import residual_filter as judge_by
from keywright.runtime.validate.arguments import Arguments

from ..values import to_timestamp


def residual_filter(residual: tuple[Condition, ...], exact: frozenset[str]) -> Callable[[Arguments], Judge] | None:
    """A function from a call to a function that checks an instance; None without residual filters.

    exact: fields whose times are stored with microseconds.
    """
    return judge_by(residual, lambda condition: partial(_stored_value, is_exact=condition.field in exact))


def _stored_value(value: Any, *, is_exact: bool) -> Any:
    """A value for comparison: times as the server stores them, members of an enum as their values."""
    if isinstance(value, datetime) and value.tzinfo is not None and not is_exact:
        return to_timestamp(value)
    return forms.plain(value)
