"""MDB012: an index would serve a pattern, but for a filter that the pattern does not ask for.

https://www.mongodb.com/docs/manual/core/index-partial/#query-coverage (2026-11-22)
"""

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from keywright.access.path import AccessPath, NotServed
from keywright.access.search import Planned
from keywright.declare.predicates import conditions
from keywright.engines.flaws.context import Flaw, Whole
from keywright.engines.flaws.fix import Fix, SetArgument
from keywright.engines.flaws.observation import Seen
from keywright.engines.mongodb.access.view import view
from keywright.engines.mongodb.access.what_if import served_by, with_index
from keywright.engines.mongodb.fields import store_of
from keywright.engines.mongodb.lower_index import lowered
from keywright.engines.mongodb.target import IndexTarget
from keywright.ir.binding import Binding
from keywright.ir.pattern import Condition


def models(whole: Whole) -> Iterator[Flaw]:
    """Every pattern that nothing serves, and that such an index would serve if it held all documents."""
    for plan in whole.plans:
        if plan.binding.engine != "mongodb" or not isinstance(plan.path, NotServed) or plan.pattern.unserved:
            continue
        if (index := _meant(plan)) is not None:
            filter, where = json.dumps(index.filter, ensure_ascii=False), _source(plan.binding, index)
            yield Flaw(
                problem=f'index "{index.name}" holds only documents with {filter}, which it does not ask for',
                help="say where= here as in the index, or leave where= out of the index",
                subject=plan.pattern.name,
                at=plan.pattern.at,
                fix=Fix((SetArgument("where", where),)) if where and not plan.pattern.where else None,
            )


def live(seen: Seen) -> Iterator[Flaw]:
    """Every pattern that a partial index is to serve, and that the server serves without it."""
    plans = {plan.pattern.name: plan for plan in seen.plans()}
    for name, asked in seen.found.asked.items():
        plan = plans.get(name)
        found = view(plan.target, plan.binding) if plan else None
        if plan is None or found is None or not isinstance(plan.path, AccessPath):
            continue
        index = next((one for one in found.indexes if one.by == plan.path.by and one.is_partial), None)
        if index is not None and asked.stages and not asked.indexes and not {"EOF", "COLLSCAN"} & {*asked.stages}:
            yield Flaw(
                problem=f'partial index "{index.target.name}" is to serve it, and the server asks no index',
                help="`keywright drift` shows whether its filter is that of the models",
                subject=name,
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


_WORDS = {
    "equals": "{}", "one_of": "kw.OneOf([{}])", "at_least": "kw.AtLeast({})", "below": "kw.Below({})",
    "present": "kw.Present()",
}  # fmt: skip


def _source(binding: Binding, target: IndexTarget) -> str:
    """The filter of an index as its declaration has it; empty where its constants are no plain ones."""
    declared = next((one for one in store_of(binding).indexes if lowered(binding, one).name == target.name), None)
    found = conditions(declared.where) if declared else ()
    if any(type(value) not in (str, int, bool) for one in found for value in one.values):
        return ""
    return f"{{{', '.join(map(_said, found))}}}"


def _said(one: Condition) -> str:
    values = (json.dumps(value, ensure_ascii=False) if isinstance(value, str) else repr(value) for value in one.values)
    return f'"{one.field}": {_WORDS[one.test].format(", ".join(values))}'
