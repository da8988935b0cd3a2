"""Declared precisions of times, which not every store keeps apart."""

from collections.abc import Iterator

from keywright.ir.attribute import Precision, Scalar, Type
from keywright.ir.binding import Binding
from keywright.ir.entity import parts

from .interface import Rejection


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
