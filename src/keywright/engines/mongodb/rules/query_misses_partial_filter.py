"""MDB012: a partial index does not serve a pattern, because the pattern lacks the condition of the filter.

https://www.mongodb.com/docs/manual/core/index-partial/#query-coverage (2026-11-22)
"""

import json
from collections.abc import Iterator
from typing import Any

from keywright.access.path import AccessPath, NotServed
from keywright.access.search import Planned
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.fix import Fix, SetArgument
from keywright.engines.findings.observation import LiveTarget
from keywright.engines.mongodb.access.layout import view
from keywright.engines.mongodb.access.what_if import served_by, with_index
from keywright.engines.mongodb.declare.filters import simple_tests, tests_of
from keywright.engines.mongodb.declare.options import AnyCollection
from keywright.engines.mongodb.schema.lower_index import lowered
from keywright.engines.mongodb.schema.target import IndexTarget
from keywright.ir.binding import Binding
from keywright.ir.pattern import ConstantCondition
from keywright.record import replace


def models(context: RuleContext) -> Iterator[FindingDraft]:
    """Every unserved pattern that such an index would serve if it contained all documents."""
    for plan in context.plans:
        if plan.binding.engine != "mongodb" or not isinstance(plan.path, NotServed) or plan.pattern.unserved:
            continue
        if (index := _partial_index(plan)) is not None:
            where = "" if index.is_sparse else _source(plan.binding, index)
            yield FindingDraft(
                problem=f'index "{index.name}" holds only documents {_held(index)}, which it does not ask for',
                help="exclude documents without these fields, or remove sparse= from the index"
                if index.is_sparse
                else "say where= here as in the index, or leave where= out of the index",
                subject=plan.pattern.name,
                at=plan.pattern.at,
                fix=Fix((SetArgument("where", where),)) if where and not plan.pattern.where else None,
            )


def live(live_target: LiveTarget) -> Iterator[FindingDraft]:
    """Every pattern with a planned partial index that the server does not use."""
    plans = {plan.pattern.name: plan for plan in live_target.plans()}
    for name, explanation in live_target.observation.explained.items():
        plan = plans.get(name)
        layout = view(plan.target, plan.binding) if plan else None
        if plan is None or layout is None or not isinstance(plan.path, AccessPath):
            continue
        index = next(
            (candidate for candidate in layout.indexes if candidate.by == plan.path.by and candidate.is_partial),
            None,
        )
        if (
            index is not None
            and explanation.stages
            and not explanation.indexes
            and not {"EOF", "COLLSCAN"} & {*explanation.stages}
        ):
            yield FindingDraft(
                problem=f'partial index "{index.target.name}" is to serve it, and the server asks no index',
                help="`keywright drift` shows whether its filter is that of the models",
                subject=name,
                at=plan.pattern.at,
            )


def _partial_index(plan: Planned[Any]) -> IndexTarget | None:
    """The partial index that would serve the pattern if it contained all documents; None if there is none."""
    layout = view(plan.target, plan.binding)
    if layout is None or plan.parts:
        return None
    for index in layout.indexes:
        if index.is_partial and index.kind != "hidden":
            database = with_index(plan.target, layout.name, replace(index.target, filter=None, is_sparse=False))
            if any(served_by(database, plan.binding, plan.pattern, index.target.name)):
                return index.target
    return None


def _held(index: IndexTarget) -> str:
    if index.is_sparse:
        return f"with {' or '.join(path for path, _ in index.keys)}"
    return f"with {json.dumps(index.filter, ensure_ascii=False)}"


_WORDS = {
    "equals": "{}", "one_of": "kw.OneOf([{}])", "at_least": "kw.AtLeast({})", "above": "kw.Above({})",
    "at_most": "kw.AtMost({})", "below": "kw.Below({})",
    "present": "kw.Present()",
}  # fmt: skip


def _source(binding: Binding[AnyCollection], target: IndexTarget) -> str:
    """The filter of an index as Python source; empty if a constant is not plain."""
    declared = next((index for index in binding.spec.indexes if lowered(binding, index).name == target.name), None)
    if declared is None or declared.any_of:
        return ""
    filter_conditions = tuple(simple_tests(declared.where))
    if len({condition.field for condition in filter_conditions}) < len(tests_of(declared.where)):
        return ""  # a pattern cannot have several tests of one field, nor tests of types
    if any(type(value) not in (str, int, bool) for condition in filter_conditions for value in condition.values):
        return ""
    return f"{{{', '.join(map(_condition_source, filter_conditions))}}}"


def _condition_source(condition: ConstantCondition) -> str:
    values = (
        json.dumps(value, ensure_ascii=False) if isinstance(value, str) else repr(value) for value in condition.values
    )
    return f'"{condition.field}": {_WORDS[condition.test].format(", ".join(values))}'
