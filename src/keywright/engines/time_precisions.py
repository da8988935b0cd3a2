"""Declared precisions of times: in the native types of a shape, and in stores that have none."""

import re
from collections.abc import Iterator, Mapping
from datetime import datetime

from keywright.ir.attribute import Precision, Scalar, Type
from keywright.ir.binding import Binding
from keywright.ir.entity import element, parts
from keywright.ir.text_form import iso

from .interface import Rejection

_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3}(?:\d{3})?)?Z")
_PRECISIONS: Mapping[int, Precision | None] = {20: "seconds", 24: "milliseconds", 27: None}
"""Precision of a text by its length."""


def check_without_precision(binding: Binding, engine: str, form: str) -> Iterator[Rejection]:
    """Times with a declared precision, in a store whose times have one form.

    engine: its name in the message. form: the form of its times.
    """
    for attribute in binding.entity.attributes:
        if (precision := precision_of(attribute.type)) is not None:
            problem = f'"{attribute.name}" has kw.Precision("{precision}") in {engine}, whose times have {form}'
            help = "remove kw.Precision, or bind another class with the same fields to this store"
            yield Rejection("E0214", problem, help, binding.name, field=attribute.name)


def precision_of(type: Type) -> Precision | None:
    """The precision of a time in a type, at any depth."""
    if isinstance(type, Scalar):
        return type.precision
    return next(filter(None, map(precision_of, parts(type))), None)


def with_precision(native: str, type: Type) -> str:
    """Native type with the precision of its times, `S(milliseconds)`, as the shape of a target names it."""
    inner = element(type)
    return f"{native}({inner.precision})" if isinstance(inner, Scalar) and inner.precision else native


def without_precision(type: str) -> str:
    """Native type of a type in a shape."""
    return type.partition("(")[0]


def precision_in(type: str) -> Precision | None:
    """Precision of the times of a type in a shape."""
    precisions: dict[str, Precision] = {"seconds": "seconds", "milliseconds": "milliseconds"}
    return precisions.get(type.partition("(")[2].removesuffix(")"))


def form_of(text: str) -> tuple[Precision | None] | None:
    """(precision) of a text that keywright writes back unchanged; None for any other text."""
    if not _MOMENT.fullmatch(text):
        return None
    precision = _PRECISIONS[len(text)]
    try:
        return (precision,) if iso(datetime.fromisoformat(text), precision) == text else None
    except ValueError:
        return None
