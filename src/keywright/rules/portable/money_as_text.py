"""GEN033: an amount of money is text."""

import re
from collections.abc import Iterator

from keywright.engines.findings.amounts import MONEY, is_currency, is_of_books
from keywright.engines.findings.context import FindingDraft, RuleContext, fields
from keywright.engines.findings.fix import Fix, Retype
from keywright.engines.findings.shapes import form, has_cents
from keywright.ir.attribute import Scalar
from keywright.ir.binding import Binding
from keywright.ir.entity import element

_AMOUNT = re.compile(r"(?:^|_)(?:subtotal|total|amount|price|cost|fee|balance)$")
_DIGITS = re.compile(r"^[\^$\\d\[\]0-9{},.?*+()|-]*$")
"""Patterns that allow digits and signs only."""
_HUNDREDTHS = re.compile(r"(?:\\[.,]|\[[.,]+\])\??(?:\[0-9\]|\\d)\{2\}\)?\??\$?$")
"""End of the pattern of a number with two decimal places."""
_CURRENCY = re.compile(r"(?:^|[_.])currency(?:_code)?$")
_TEXTS = ("S", "string", "text", "varchar", "ascii")
"""Native types of text."""


def models(context: RuleContext) -> Iterator[FindingDraft]:
    """Report every field of text with such a name or, in money, with such a pattern; and every number with such a name
    that is stored as text.
    """
    for binding in context.design.bindings:
        types = getattr(binding.spec, "types", {})
        for path, attribute in fields(binding.entity.attributes):
            kind = element(attribute.type)
            if not isinstance(kind, Scalar) or kind.constants:
                continue
            is_named = _AMOUNT.search(attribute.name) is not None
            is_stored = is_named and kind.kind in ("decimal", "integer", "float") and types.get(path) in _TEXTS
            is_text = kind.kind == "string" and (
                (is_named and (kind.pattern is None or _DIGITS.match(kind.pattern) is not None))
                or (form(kind) == "an amount" and MONEY.search(attribute.name) is not None)
                or (has_cents(kind) and (is_of_books(binding) or any(map(is_currency, binding.entity.attributes))))
            )
            if is_text or is_stored:
                is_plain = is_text and "." not in path and kind.pattern is None and kind.max_length is None
                yield FindingDraft(
                    problem=f'"{path}" is text, so that the store cannot add it, and compares "9" as more than "10"',
                    help="make it a Decimal with max_digits and decimal_places, or whole cents"
                    if is_text
                    else f'remove "{path}" from types=, so that the store has a number',
                    subject=binding.name,
                    field=path.partition(".")[0],
                    fix=Fix((Retype("str", "Decimal"),)) if is_plain else None,
                )


def _has_currency(binding: Binding) -> bool:
    """Whether an entity names the currency of its amounts."""
    return any(_CURRENCY.search(path) for path, _ in fields(binding.entity.attributes))
