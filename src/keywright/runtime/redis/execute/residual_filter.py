"""Residual filters on instances: values that are stored as text are compared as text."""

from collections.abc import Callable
from typing import Any

from keywright.access.query import Condition
from keywright.ir.attribute import Attribute, Scalar
from keywright.ir.entity import resolve
from keywright.runtime.items import text as forms
from keywright.runtime.residual_filter import Form, Judge
from keywright.runtime.residual_filter import residual_filter as judge_by
from keywright.runtime.validate.arguments import Arguments


def residual_filter(
    residual: tuple[Condition, ...], attributes: tuple[Attribute, ...]
) -> Callable[[Arguments], Judge] | None:
    """A function from a call to the filter of instances; None if no conditions are left."""

    def form_of(condition: Condition) -> Form:
        path = resolve(attributes, condition.field)
        is_text = path and isinstance(path[-1].type, Scalar) and path[-1].type.is_converted
        return _text if is_text else forms.plain

    return judge_by(residual, form_of)


def _text(value: Any) -> Any:
    return value if value is None else str(value)
