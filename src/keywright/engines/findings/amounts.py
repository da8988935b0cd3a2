"""Amounts of money, and increments of them, for rules of every engine."""

import re
from collections.abc import Iterator

from keywright.ir.attribute import Attribute, Scalar
from keywright.ir.binding import Binding
from keywright.ir.entity import resolve
from keywright.ir.pattern import Pattern
from keywright.record import Record

from .context import RuleContext
from .pattern_facts import identity

_NUMBERS = ("integer", "decimal", "float")
_CENTS = 2
"""Decimal places of an amount in most currencies."""
_AMOUNT = re.compile(r"(?:^|_)(?:balance|cents|minor|pence|amount|paid|price|fee|revenue|refunded)(?:$|_)")
"""Words in names of numbers that hardly ever mean anything other than money."""
_OTHERS = ("stock", "analytics", "feed", "cache", "session", "reading")
"""Kinds of entities whose numbers are units, or figures that may be off by a repeated request."""

_SETTINGS = re.compile(
    r"(?:^|_)(?:version|revision|position|order|rank|priority|level|sort|index|offset|cursor|sequence|seconds|minutes|"
    r"hours|days|ms|percent|price|year|limit|max|min|size|quota|target|threshold|step|stage|score|rating|weight|port|"
    r"age|duration|interval|progress|unread)(?:$|_)"
)
"""Words in names of integers that are set as such."""


class Increment(Record):
    """An increment, and the access pattern or transaction that runs it."""

    pattern: Pattern
    """The increment."""
    caller: Pattern
    """The increment itself, or its transaction."""
    binding: Binding
    """The entity."""

    @property
    def is_alone(self) -> bool:
        """Whether it is outside of a transaction."""
        return self.caller is self.pattern


def increments(context: RuleContext) -> Iterator[Increment]:
    """Every increment, including those of transactions."""
    bindings = {binding.name: binding for binding in context.design.bindings}
    for caller in context.design.patterns:
        for pattern in caller.parts if caller.kind == "transact" else (caller,):
            if pattern.kind == "increment" and pattern.binding in bindings:
                yield Increment(pattern, caller, bindings[pattern.binding])


def is_number(attribute: Attribute | None) -> bool:
    """Whether an attribute is a number of any value."""
    kind = attribute.type if attribute else None
    return isinstance(kind, Scalar) and kind.kind in _NUMBERS and not kind.constants


def is_amount(binding: Binding, name: str) -> bool:
    """Whether a field is an amount of money by its type, or by its name."""
    attribute = binding.entity.attribute(name)
    if attribute is None or not is_number(attribute) or binding.spec.kind in _OTHERS or name in identity(binding):
        return False
    kind = attribute.type
    has_cents = isinstance(kind, Scalar) and kind.decimal_places == _CENTS
    return binding.spec.kind == "money" or has_cents or _AMOUNT.search(name) is not None


def is_tally(binding: Binding, name: str) -> bool:
    """Whether a number is an integer that starts at a default, from 0 and without a bound, as counts do."""
    attributes = resolve(binding.entity.attributes, name)
    attribute = attributes[-1] if attributes else None
    kind = attribute.type if attribute else None
    return (
        attribute is not None
        and isinstance(kind, Scalar)
        and kind.kind == "integer"
        and kind.minimum in (0, None)
        and kind.maximum is None
        and not attribute.is_required
        and not attribute.is_nullable
        and attribute.copied_from is None
        and not is_amount(binding, name)
        and not _SETTINGS.search(name)
    )


def bounded_below(pattern: Pattern) -> bool:
    """Whether a condition of an increment bounds its number from below."""
    return any(condition.field == pattern.field and condition.test == "at_least" for condition in pattern.where)
