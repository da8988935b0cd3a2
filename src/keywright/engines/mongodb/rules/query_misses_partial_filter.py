"""MDB012: an index would serve a pattern, but for a filter that the pattern does not ask for.

https://www.mongodb.com/docs/manual/core/index-partial/#query-coverage (2026-11-22)
"""

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from keywright.access.path import NotServed
from keywright.access.search import Planned
from keywright.engines.flaws.context import Flaw, Whole
from keywright.engines.mongodb.access.view import view
from keywright.engines.mongodb.access.what_if import served_by, with_index
from keywright.engines.mongodb.target import IndexTarget


def models(whole: Whole) -> Iterator[Flaw]:
    """Every pattern that nothing serves, and that such an index would serve if it held all documents."""
    for plan in whole.plans:
        if plan.binding.engine != "mongodb" or not isinstance(plan.path, NotServed) or plan.pattern.unserved:
            continue
        if (index := _meant(plan)) is not None:
            filter = json.dumps(index.filter, ensure_ascii=False)
            yield Flaw(
                problem=f'index "{index.name}" holds only documents with {filter}, which it does not ask for',
                help="say where= here as in the index, or leave where= out of the index",
                subject=plan.pattern.name,
                at=plan.pattern.at,
            )


def _meant(plan: Planned[Any]) -> IndexTarget | None:
    """The partial index that serves the pattern once it holds all documents; None if there is none."""
    found = view(plan.target, plan.binding)
    if found is None or plan.parts:
        return None
    for index in found.indexes:
        if index.is_partial and index.kind != "hidden":
            whole = with_index(plan.target, found.name, replace(index.target, filter=None))
            if any(served_by(whole, plan.binding, plan.pattern, index.target.name)):
                return index.target
    return None
