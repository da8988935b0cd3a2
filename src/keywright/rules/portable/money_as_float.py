"""GEN107: an amount of money is a binary float, by its name or by what is beside it."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from keywright.engines.findings.amounts import MONEY, UNITS, is_currency, is_of_books
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.fix import Fix, Retype
from keywright.errors import quoted
from keywright.ir.attribute import Attribute, Scalar, Struct
from keywright.ir.entity import element

_TOTAL = re.compile(r"(?:^|_)total$")
"""Ending of names of amounts in records; in readings, it is a sum of any measure."""
_UNIT = re.compile(r"(?:^|_)units?$")
"""Name of a field with the unit of an amount that is no money."""
_PLURAL = re.compile(r"(?:^|[_.])(?:prices|costs|fees|charges|taxes|payments|amounts|expenses|rents|wages)$")
"""Names of embedded models of amounts."""
_CENTS = re.compile(r"(?:^|_)(?:cents|minor|pence|micros)(?:$|_)")


def models(context: RuleContext) -> Iterator[FindingDraft]:
    """Report every float with such a name, and every other float that is the only amount beside a currency or in an
    entity of kind `money`, including those of embedded models.
    """
    for binding in context.design.bindings:
        kind = binding.spec.kind
        amounts = defaultdict[str, dict[str, Attribute]](dict)
        for path, attribute in _amounts(
            binding.entity.attributes, "", is_money=is_of_books(binding), has_totals=kind in ("record", "money")
        ):
            amounts[path.partition(".")[0]][path] = attribute
        for field, floats in amounts.items():
            is_plain = all("." not in path and element(at.type) is at.type for path, at in floats.items())
            yield FindingDraft(
                problem=f"{quoted(floats)} {'is a float' if len(floats) == 1 else 'are floats'}, in which 0.1 + 0.2 is "
                "not 0.3",
                help="make it a Decimal with max_digits and decimal_places, or whole cents",
                subject=binding.name,
                field=field,
                fix=_DECIMAL if is_plain else None,
            )


_DECIMAL = Fix((Retype("float", "Decimal"),))


def _amounts(
    attributes: Sequence[Attribute], path: str, *, is_money: bool, has_totals: bool
) -> Iterator[tuple[str, Attribute]]:
    """(path, float) of every amount."""
    has_currency = any(map(is_currency, attributes))
    has_unit = any(_UNIT.search(attribute.name) for attribute in attributes)
    has_exact = any(map(_is_exact, attributes))
    is_inferred = (has_currency or is_money or _PLURAL.search(path)) and not has_exact
    for attribute in attributes:
        here = f"{path}.{attribute.name}" if path else attribute.name
        kind = element(attribute.type)
        if isinstance(kind, Struct):
            yield from _amounts(kind.attributes, here, is_money=False, has_totals=has_totals)
        elif isinstance(kind, Scalar) and kind.kind == "float" and not UNITS.search(attribute.name):
            is_named = MONEY.search(attribute.name) or (has_totals and _TOTAL.search(attribute.name))
            is_unbounded = is_money and kind.maximum is None  # beside exact amounts, what has an end may be a share
            if (is_named and not has_unit) or ((is_inferred or is_unbounded) and attribute.type is kind):
                yield here, attribute


def _is_exact(attribute: Attribute) -> bool:
    """Whether an attribute is an exact amount, or an embedded model that may contain it."""
    kind = element(attribute.type)
    if isinstance(kind, Scalar):
        return kind.kind == "decimal" or (kind.kind == "integer" and _CENTS.search(attribute.name) is not None)
    return isinstance(kind, Struct)
