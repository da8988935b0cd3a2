"""GEN107: a field whose name suggests money is a binary float."""

import re
from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext, fields
from keywright.engines.findings.fix import Fix, Retype
from keywright.ir.attribute import Scalar
from keywright.ir.entity import element

_MONEY = re.compile(r"(?:^|_)(price|cost|fee|balance|revenue|salary|tax)(?:$|_)")
"""Words in names of fields that hardly ever mean anything other than money."""


def models(context: RuleContext) -> Iterator[FindingDraft]:
    """Report every such field, including embedded models."""
    for binding in context.design.bindings:
        for path, attribute in fields(binding.entity.attributes):
            kind = element(attribute.type)
            if isinstance(kind, Scalar) and kind.kind == "float" and _MONEY.search(attribute.name):
                yield FindingDraft(
                    problem=f'"{path}" is a float, in which 0.1 + 0.2 is not 0.3',
                    help="make it a Decimal with max_digits and decimal_places, or whole cents",
                    subject=binding.name,
                    field=path.partition(".")[0],
                    fix=None if "." in path else Fix((Retype("float", "Decimal"),)),
                )
