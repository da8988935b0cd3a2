"""DDB023: a number is stored as text or as a binary float."""

import re
from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext, fields
from keywright.engines.findings.fix import Fix, Retype
from keywright.engines.findings.observation import LiveTarget
from keywright.ir.attribute import Scalar
from keywright.ir.binding import Binding

from ..declare.options import Item

_AMOUNT = re.compile(r"(?:^|_)(total|subtotal|amount|price|cost|fee|balance|quantity|qty)$")
"""Endings of field names that suggest amounts."""


def models(context: RuleContext) -> Iterator[FindingDraft]:
    """Numbers in items and embedded models with an unsuitable type."""
    for binding in context.bindings("dynamodb"):
        for path, attribute in fields(binding.entity.attributes):
            kind = attribute.type
            if not isinstance(kind, Scalar) or kind.constants:
                continue
            if kind.kind in ("integer", "decimal", "float") and binding.spec.types.get(path) == "S":
                problem = "is a number that is stored as text: it has no range of values, and is not added to"
                yield _finding(binding, path, problem)
            elif kind.kind == "string" and _AMOUNT.search(attribute.name):
                problem = "is text, and a number by its name: it has no range of values, and is not added to"
                is_bounded = kind.max_length is not None or kind.min_length is not None or kind.pattern is not None
                yield _finding(binding, path, problem, None if is_bounded else Retype("str", "Decimal"))
            elif kind.kind == "float" and _AMOUNT.search(attribute.name):
                problem = "is a float, in which 0.1 + 0.2 is not 0.3, and which the client for Python refuses"
                yield _finding(binding, path, problem, Retype("float", "Decimal"))


def live(live_target: LiveTarget) -> Iterator[FindingDraft]:
    """Numbers that sampled items store as text, except expiry times."""
    for binding, items in live_target.items():
        names = {attribute.stored: attribute.name for attribute in binding.entity.attributes}
        for stored, count in items.wrong.items():
            if stored == live_target.target.placed.ttl:
                continue  # DDB024 reports expiry times
            yield FindingDraft(
                problem=f'{items.sample.of(count, "holds", "hold")} "{stored}" as text, and it is declared '
                f"as a number: what reads by the model fails, and no range finds them{items.such_as('wrong', stored)}",
                help="find out who writes them, and put them right by a backfill",
                subject=binding.name,
                field=names.get(stored, stored),
            )


def _finding(binding: Binding[Item], path: str, problem: str, edit: Retype | None = None) -> FindingDraft:
    return FindingDraft(
        problem=f'"{path}" {problem}',
        help="make it a Decimal, or whole cents as int, and store it as a number",
        subject=binding.name,
        field=path.partition(".")[0],
        fix=Fix((edit,)) if edit and "." not in path else None,
    )
