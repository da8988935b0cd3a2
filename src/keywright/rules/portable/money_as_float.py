"""GEN107: an amount of money is a binary float, by its name or by what is beside it."""

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.fix import Fix, Retype
from keywright.ir.attribute import Attribute, Scalar, Struct
from keywright.ir.entity import element

_MONEY = re.compile(
    r"(?:^|_)(?:price|cost|fee|balance|revenue|salary|tax|fare|wage|payout|commission|surcharge|refund|subtotal|earnings"
    r"|amount|premium|deductible|deposit|dividend|stipend|royalty|levy|tariff|budget|debt|eur|usd|gbp|chf"
    r"|vat|rent|toll|charge|payment|income|turnover|rebate|allowance|gratuity)s?(?:$|_)"
)
"""Words in names of fields that hardly ever mean anything other than money."""
_UNITS = re.compile(
    r"(?:^|_)(?:lit(?:re|er)s?|k?grams?|kg|lb|k?m|miles|met(?:re|er)s|percent|ratio|share|score|rate|rating|factor"
    r"|m?s|seconds|hours|minutes|days|lat|latitude|lng|lon|longitude|weight|height|width|length|volume|distance|speed"
    r"|celsius|quantity|probability|confidence|kwh|kw|watts?|volts?)(?:$|_)"
)
"""Words in names of measures, which floats store."""
_CURRENCY = re.compile(r"(?:^|_)currency(?:_code)?$")
_TOTAL = re.compile(r"(?:^|_)total$")
"""Ending of names of amounts in records; in readings, it is a sum of any measure."""
_UNIT = re.compile(r"(?:^|_)units?$")
"""Name of a field with the unit of an amount that is no money."""
_CENTS = re.compile(r"(?:^|_)(?:cents|minor|pence|micros)(?:$|_)")


def models(context: RuleContext) -> Iterator[FindingDraft]:
    """Report every float with such a name, and every other float that is the only amount beside a currency or in an
    entity of kind `money`, including those of embedded models.
    """
    for binding in context.design.bindings:
        kind = binding.spec.kind
        for path, attribute in _amounts(
            binding.entity.attributes, "", is_money=kind == "money", has_totals=kind in ("record", "money")
        ):
            yield FindingDraft(
                problem=f'"{path}" is a float, in which 0.1 + 0.2 is not 0.3',
                help="make it a Decimal with max_digits and decimal_places, or whole cents",
                subject=binding.name,
                field=path.partition(".")[0],
                fix=None if "." in path or element(attribute.type) is not attribute.type else _DECIMAL,
            )


_DECIMAL = Fix((Retype("float", "Decimal"),))


def _amounts(
    attributes: Sequence[Attribute], path: str, *, is_money: bool, has_totals: bool
) -> Iterator[tuple[str, Attribute]]:
    """(path, float) of every amount."""
    has_currency = any(_CURRENCY.search(attribute.name) for attribute in attributes)
    has_unit = any(_UNIT.search(attribute.name) for attribute in attributes)
    is_inferred = (has_currency or is_money) and not any(map(_is_exact, attributes))
    for attribute in attributes:
        here = f"{path}.{attribute.name}" if path else attribute.name
        kind = element(attribute.type)
        if isinstance(kind, Struct):
            is_inside = is_money or _MONEY.search(attribute.name) is not None
            yield from islice(_amounts(kind.attributes, here, is_money=is_inside, has_totals=has_totals), 1)
        elif isinstance(kind, Scalar) and kind.kind == "float":
            is_unnamed = is_inferred and attribute.type is kind and not _UNITS.search(attribute.name)
            is_named = _MONEY.search(attribute.name) or (has_totals and _TOTAL.search(attribute.name))
            if (is_named and not has_unit) or is_unnamed:
                yield here, attribute


def _is_exact(attribute: Attribute) -> bool:
    """Whether an attribute is an exact amount, or an embedded model that may contain it."""
    kind = element(attribute.type)
    if isinstance(kind, Scalar):
        return kind.kind == "decimal" or (kind.kind == "integer" and _CENTS.search(attribute.name) is not None)
    return isinstance(kind, Struct)
