"""Compares the constants in conditions of patterns and indexes with the types of their fields."""

from collections.abc import Iterable, Iterator

from keywright.declare.store import Store
from keywright.errors import DeclarationError, Place
from keywright.ir.allowed import allowed_of, is_comparable, is_taken
from keywright.ir.attribute import Many, Scalar, Type
from keywright.ir.binding import Binding
from keywright.ir.design import Design
from keywright.ir.entity import element, resolve
from keywright.ir.pattern import ConstantCondition
from keywright.ir.text import one_line


def in_patterns(design: Design) -> Iterator[DeclarationError]:
    """Errors of patterns' conditions whose constant is not a value of the field's type."""
    bindings = {binding.name: binding for binding in design.bindings}
    for pattern in design.patterns:
        for part in (pattern, *pattern.parts):
            if binding := bindings.get(part.binding):
                yield from _wrong(part.where, "where", binding, pattern.at, pattern.name)
                for where in part.any_of:
                    yield from _wrong(where, "any_of", binding, pattern.at, pattern.name)


def in_store(binding: Binding) -> Iterator[DeclarationError]:
    """Errors of the conditions of an entity's indexes."""
    if isinstance(binding.spec, Store):
        for argument, conditions in binding.spec.conditions_named():
            yield from _wrong(conditions, argument, binding, binding.at, binding.name)


def _wrong(
    conditions: Iterable[ConstantCondition], argument: str, binding: Binding, at: Place, subject: str
) -> Iterator[DeclarationError]:
    for condition in conditions:
        attributes = resolve(binding.entity.attributes, condition.field)
        kind = element(attributes[-1].type) if attributes else None
        is_list = attributes is not None and isinstance(attributes[-1].type, Many)
        for constant in condition.values if condition.test != "length" else ():
            if kind is not None and constant is not None and not _suits(condition, kind, constant, is_list=is_list):
                problem = f'{argument}["{condition.field}"] is compared with {one_line(repr(constant))}'
                help = f"the field takes {allowed_of(kind)}"
                yield DeclarationError("E0213", f"{problem}, which is not a value of the field", at, help, subject)


def _suits(condition: ConstantCondition, kind: Type, constant: object, *, is_list: bool) -> bool:
    if condition.test == "prefix" or (condition.test == "contains" and isinstance(kind, Scalar) and not is_list):
        return isinstance(constant, str)
    if condition.test in ("at_least", "above", "at_most", "below"):
        return is_comparable(kind, constant)
    return is_taken(kind, constant)
