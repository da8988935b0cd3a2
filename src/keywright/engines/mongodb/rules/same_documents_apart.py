"""MDB047: documents of the same kind are spread over several collections.

https://www.mongodb.com/docs/manual/data-modeling/design-antipatterns/reduce-collections/ (2026-11-23) contains no
number; the default is ours.
"""

import re
from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.mongodb.declare.options import AnyCollection
from keywright.errors import quoted
from keywright.ir.binding import Binding
from keywright.ir.text import counted

_DIGITS = re.compile("[0-9]+")
_FEW_FIELDS = 3
"""Fields from which on equal fields are no coincidence."""


def models(context: RuleContext, *, least: int = 3) -> Iterator[FindingDraft]:
    """Every group of so many collections of a database with the same fields, or of two whose names differ by a number.

    least: collections that make a group.
    """
    groups: dict[tuple[str, frozenset[tuple[str, str]]], list[Binding[AnyCollection]]] = {}
    for binding in context.bindings("mongodb"):
        fields = frozenset((attribute.stored, repr(attribute.type)) for attribute in binding.entity.attributes)
        if len(fields) >= _FEW_FIELDS:
            groups.setdefault((binding.physical.name, fields), []).append(binding)
    for (database, _), bindings in groups.items():
        names = sorted(binding.spec.name for binding in bindings)
        is_numbered = len(names) > 1 and len({_DIGITS.sub("", name) for name in names}) == 1
        if len(bindings) >= least or is_numbered:
            yield FindingDraft(
                problem=f"{counted(len(bindings), 'collection has', 'collections have')} the same fields in "
                f"{database}, {quoted(names)}: each adds files and indexes, and a query over all must ask each",
                help="keep them in one collection, with a field for the period, region or customer, and an index that "
                "begins with it",
                subject=bindings[0].name,
            )
