"""MDB006: documents are found by an element of an array that no index holds.

https://www.mongodb.com/docs/manual/core/indexes/index-types/index-multikey/ (2026-11-22)
"""

from collections.abc import Iterator
from typing import Any

from keywright.access.path import NotServed
from keywright.access.request import Asked, request
from keywright.access.search import Planned
from keywright.engines.flaws.context import Flaw, Whole
from keywright.engines.mongodb.access.view import View, view

_FINDING = ("get", "read", "count", "delete")
"""Kinds of pattern that an index helps to find documents; of aggregates MDB019 speaks."""


def models(whole: Whole) -> Iterator[Flaw]:
    """Every pattern that nothing serves, and that asks for elements of such an array."""
    for plan in whole.plans:
        if plan.binding.engine != "mongodb" or not isinstance(plan.path, NotServed) or plan.pattern.unserved:
            continue
        if asked := _unindexed(plan):
            yield Flaw(
                problem=f'"{asked.field}" is an array, and no index holds its elements: every document is read',
                help=f'add kw.Index("{asked.field}") to {plan.binding.name}, which holds each element',
                subject=plan.pattern.name,
                at=plan.pattern.at,
            )


def _unindexed(plan: Planned[Any]) -> Asked | None:
    """The first condition on an array, if no index names the field."""
    found = view(plan.target, plan.binding)
    if found is None or plan.pattern.kind not in _FINDING:
        return None
    for one in request(plan.pattern, found.key_fields).asked:
        if one.how not in ("search", "near", "not", "present") and found.array(one.field):
            return None if _is_indexed(found, one.field) else one
    return None


def _is_indexed(found: View, field: str) -> bool:
    return any(field == name for index in found.indexes for name, _ in index.keys)
