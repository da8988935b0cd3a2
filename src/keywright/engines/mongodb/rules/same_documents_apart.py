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


def models(context: RuleContext, *, least: int = 3, least_percent: int = 60) -> Iterator[FindingDraft]:
    """Every group of so many collections of a database with the same fields, or of two whose names differ by a number.

    least: collections that make a group. least_percent: share of the fields that collections with numbered names have
    in common.
    """
    groups: dict[tuple[str, frozenset[tuple[str, str]]], list[Binding[AnyCollection]]] = {}
    for binding in context.bindings("mongodb"):
        fields = frozenset((attribute.stored, repr(attribute.type)) for attribute in binding.entity.attributes)
        if len(fields) >= _FEW_FIELDS - 1:
            groups.setdefault((binding.physical.name, fields), []).append(binding)
    groups = {
        key: bindings for key, bindings in groups.items() if len(key[1]) >= _FEW_FIELDS or _is_named_alike(bindings)
    }
    reported = {binding.name for bindings in groups.values() if len(bindings) >= least for binding in bindings}
    yield from _numbered(context, reported, least_percent)
    for (database, _), bindings in groups.items():
        names = sorted(binding.spec.name for binding in bindings)
        if len(bindings) >= least:
            yield FindingDraft(
                problem=f"{counted(len(bindings), 'collection has', 'collections have')} the same fields in "
                f"{database}, {quoted(names)}: each adds files and indexes, and a query over all must ask each",
                help="keep them in one collection, with a field for the period, region or customer, and an index that "
                "begins with it",
                subject=bindings[0].name,
            )


def _is_named_alike(bindings: list[Binding[AnyCollection]]) -> bool:
    """Whether the names of collections begin or end with the same word."""
    names = [binding.spec.name.split("_") for binding in bindings]
    return all(len(name) > 1 for name in names) and (
        len({name[0] for name in names}) == 1 or len({name[-1] for name in names}) == 1
    )


def _numbered(context: RuleContext, reported: set[str], least_percent: int) -> Iterator[FindingDraft]:
    """Other collections of a database whose names only differ by a number, with nearly the same fields."""
    groups: dict[tuple[str, str], list[Binding[AnyCollection]]] = {}
    for binding in context.bindings("mongodb"):
        if _DIGITS.search(binding.spec.name) and binding.name not in reported:
            groups.setdefault((binding.physical.name, _DIGITS.sub("", binding.spec.name)), []).append(binding)
    for (database, _), bindings in groups.items():
        fields = [{attribute.stored for attribute in binding.entity.attributes} for binding in bindings]
        shared, every = fields[0].intersection(*fields), fields[0].union(*fields)
        if len(bindings) > 1 and len(shared) >= _FEW_FIELDS and len(shared) * 100 >= len(every) * least_percent:
            names = quoted(sorted(binding.spec.name for binding in bindings))
            yield FindingDraft(
                problem=f"{counted(len(bindings), 'collection has', 'collections have')} numbered names and the same "
                f"fields in {database}, {names}: each adds files and indexes, and a query over all must ask each",
                help="keep them in one collection, with a field for the period or customer, and an index that begins "
                "with it",
                subject=bindings[0].name,
            )
