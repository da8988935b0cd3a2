"""Flaws that any engine may have."""

import re
from collections.abc import Iterator

from keywright.access.path import NotServed
from keywright.ir.attribute import Scalar
from keywright.ir.entity import element

from .context import Flaw, Whole, fields

_MONEY = re.compile(r"(?:^|_)(price|cost|fee|balance|revenue|salary|tax)(?:$|_)")
"""Words that mean money and little else, in names of fields."""


def unserved(whole: Whole) -> Iterator[Flaw]:
    """GEN004: no key, index or structure serves a pattern, and no reason is given."""
    for plan in whole.plans:
        if isinstance(plan.path, NotServed) and plan.pattern.unserved is None:
            yield Flaw(
                problem=f"nothing serves it: {plan.path.reason}",
                help="`keywright patterns` prints the smallest declaration that does; or say why not, by unserved=",
                subject=plan.pattern.name,
                at=plan.pattern.at,
            )


def money_as_float(whole: Whole) -> Iterator[Flaw]:
    """GEN107: a field that is money by its name is a binary floating point number."""
    for binding in whole.design.bindings:
        for path, attribute in fields(binding.entity.attributes):
            kind = element(attribute.type)
            if isinstance(kind, Scalar) and kind.kind == "float" and _MONEY.search(attribute.name):
                yield Flaw(
                    problem=f'"{path}" is a float, in which 0.1 + 0.2 is not 0.3',
                    help="make it a Decimal with max_digits and decimal_places, or whole cents",
                    subject=binding.name,
                    field=path.partition(".")[0],
                )
