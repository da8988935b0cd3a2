"""MDB010: an index has a range or an unused field before the fields that a pattern compares by equality.

https://www.mongodb.com/docs/manual/tutorial/equality-sort-range-guideline/ (2026-11-22)
"""

from collections.abc import Iterator
from functools import partial
from typing import Any

from keywright.access.path import AccessPath
from keywright.access.search import Planned
from keywright.engines.findings.candidates import without_redundant
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.observation import LiveTarget
from keywright.engines.mongodb.access.evidence import SORTS
from keywright.engines.mongodb.access.layout import IndexView, view
from keywright.engines.mongodb.access.what_if import served_by, with_index
from keywright.engines.mongodb.schema.target import shard_key
from keywright.record import replace

_EQUAL = ("equals", "one_of", "contains")


def models(context: RuleContext) -> Iterator[FindingDraft]:
    """Every index that serves its patterns with fewer reads, and none worse, if its fields are reordered."""
    served: dict[tuple[str, str], list[Planned[Any]]] = {}
    for plan in map(partial(without_redundant, context), context.plans):
        if plan.binding.engine == "mongodb" and isinstance(plan.path, AccessPath) and plan.path.by.kind == "index":
            served.setdefault((plan.binding.name, plan.path.by.name), []).append(plan)
    for (binding, name), plans in served.items():
        for plan in plans:
            index = _index(plan)
            keys = _ordered(plan, index) if index else []
            if index is None or keys == list(index.keys) or not _is_better(plan, plans, index, keys):
                continue
            declared = ", ".join(f'"{"-" if direction == -1 else ""}{field}"' for field, direction in keys)
            yield FindingDraft(
                problem=f'index "{name}" does not begin with what "{plan.pattern.name}" asks by equality, so that more '
                "of it is read than is wanted",
                help=f"order its fields by equality, sort, range: kw.Index([{declared}])",
                subject=binding,
                part=name,
            )
            break


def live(live_target: LiveTarget) -> Iterator[FindingDraft]:
    """Every pattern whose order the planned index keeps, but that the server sorts in memory."""
    plans = {plan.pattern.name: plan for plan in live_target.plans()}
    for name, explanation in live_target.observation.explained.items():
        path = plans[name].path if name in plans else None
        sorting = SORTS & {*explanation.stages}
        if sorting and isinstance(path, AccessPath) and path.order != "memory" and "EOF" not in explanation.stages:
            yield FindingDraft(
                problem=f'the server sorts in memory for it, in stage "{min(sorting)}", and {path.by} was to keep the '
                "order",
                help="`keywright drift` shows whether the index is as it should be",
                subject=name,
                at=plans[name].pattern.at,
            )


def _index(plan: Planned[Any]) -> IndexView | None:
    """The compound index that serves a pattern and contains a field whose equality it does not use."""
    path = plan.path
    equal = (
        {condition.field for condition in path.residual if condition.kind in _EQUAL}
        if isinstance(path, AccessPath)
        else set[str]()
    )
    layout = view(plan.target, plan.binding) if equal else None
    if layout is None or not isinstance(path, AccessPath):
        return None
    index = next(
        (candidate for candidate in layout.indexes if candidate.by == path.by and candidate.kind == "fields"), None
    )
    if index is None or not any(field in equal for field, _ in index.keys):
        return None
    shard_fields = shard_key(layout.database, layout.collection)
    # A sharded collection needs an index that begins with the shard key.
    return None if shard_fields and index.target.keys[: len(shard_fields)] == shard_fields else index


def _ordered(plan: Planned[Any], index: IndexView) -> list[tuple[str, int | str]]:
    """The fields of an index by equality, sort and range."""
    pattern = plan.pattern
    equal = {*pattern.eq, *(condition.field for condition in pattern.where if condition.test == "equals")}
    with_values = {
        *pattern.one_of,
        pattern.contains,
        *(condition.field for condition in pattern.where if condition.test == "one_of"),
    }
    sort = {name.removeprefix("-") for name in pattern.order}

    def rank(key: tuple[str, int | str]) -> int:
        field = key[0]
        return 0 if field in equal else 1 if field in with_values - sort else 2 if field in sort else 3

    return sorted(index.keys, key=rank)


def _is_better(
    plan: Planned[Any], plans: list[Planned[Any]], index: IndexView, keys: list[tuple[str, int | str]]
) -> bool:
    """Whether this order of fields leaves the pattern fewer residual filters, and serves the others no worse."""
    layout = view(plan.target, plan.binding)
    assert layout is not None
    reordered = replace(index.target, keys=tuple((layout.path(field), direction) for field, direction in keys))
    target = with_index(plan.target, layout.name, reordered)
    for planned in plans:
        path = next(served_by(target, planned.binding, planned.pattern, reordered.name), None)
        if (
            path is None
            or path.order != planned.access_path.order
            or not set(path.residual) <= set(planned.access_path.residual)
        ):
            return False
        if planned is plan and len(path.residual) == len(planned.access_path.residual):
            return False
    return True
