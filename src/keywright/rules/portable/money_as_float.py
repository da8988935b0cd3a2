"""GEN107: a field that is money by its name is a binary floating point number."""

import re
from collections.abc import Iterator

from keywright.engines.flaws.context import Flaw, Whole, fields
from keywright.engines.flaws.fix import Fix, Retype
from keywright.ir.attribute import Scalar
from keywright.ir.entity import element

_MONEY = re.compile(r"(?:^|_)(price|cost|fee|balance|revenue|salary|tax)(?:$|_)")
"""Words that mean money and little else, in names of fields."""


def models(whole: Whole) -> Iterator[Flaw]:
    """Every such field, those of embedded models too."""
    for binding in whole.design.bindings:
        for path, attribute in fields(binding.entity.attributes):
            kind = element(attribute.type)
            if isinstance(kind, Scalar) and kind.kind == "float" and _MONEY.search(attribute.name):
                yield Flaw(
                    problem=f'"{path}" is a float, in which 0.1 + 0.2 is not 0.3',
                    help="make it a Decimal with max_digits and decimal_places, or whole cents",
                    subject=binding.name,
                    field=path.partition(".")[0],
                    fix=None if "." in path else Fix((Retype("float", "Decimal"),)),
                )
