"""Conditions judged on rows that were read, with times as the server keeps them."""

from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import Any

from keywright.access.request import Asked
from keywright.runtime import text as forms
from keywright.runtime.given import Given
from keywright.runtime.judge import Judge
from keywright.runtime.judge import judge as judge_by

from ..values import to_timestamp


def judge(residual: tuple[Asked, ...], exact: frozenset[str]) -> Callable[[Given], Judge] | None:
    """A function from a call to what judges an instance; None where nothing is to be judged.

    exact: fields whose times are kept to the microsecond.
    """
    return judge_by(residual, lambda asked: partial(_kept, is_exact=asked.field in exact))


def _kept(value: Any, *, is_exact: bool) -> Any:
    """Times as the server keeps them, members of an enum as their values."""
    if isinstance(value, datetime) and value.tzinfo is not None and not is_exact:
        return to_timestamp(value)
    return forms.plain(value)
