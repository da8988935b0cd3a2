"""Conditions judged on instances that were read: what is stored as text is compared as text."""

from collections.abc import Callable
from typing import Any

from keywright.access.request import Asked
from keywright.ir.attribute import Attribute, Scalar
from keywright.ir.entity import resolve
from keywright.runtime import text as forms
from keywright.runtime.given import Given
from keywright.runtime.judge import Form, Judge
from keywright.runtime.judge import judge as judge_by


def judge(residual: tuple[Asked, ...], attributes: tuple[Attribute, ...]) -> Callable[[Given], Judge] | None:
    """A function from a call to the judge of an instance; None where nothing is left to judge."""

    def form_of(asked: Asked) -> Form:
        found = resolve(attributes, asked.field)
        is_text = found and isinstance(found[-1].type, Scalar) and found[-1].type.is_converted
        return _text if is_text else forms.plain

    return judge_by(residual, form_of)


def _text(value: Any) -> Any:
    return value if value is None else str(value)
