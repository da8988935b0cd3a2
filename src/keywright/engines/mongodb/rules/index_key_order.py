"""MDB010: an index has a range, or a field that is not asked for, in front of what a pattern asks by equality.

https://www.mongodb.com/docs/manual/tutorial/equality-sort-range-guideline/ (2026-11-22)
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from keywright.access.path import AccessPath
from keywright.access.search import Planned
from keywright.engines.flaws.context import Flaw, Whole
from keywright.engines.flaws.observation import Seen
from keywright.engines.mongodb.access.judge import SORTS
from keywright.engines.mongodb.access.view import IndexView, view
from keywright.engines.mongodb.access.what_if import served_by, with_index
from keywright.engines.mongodb.sharding import shard_key

_EQUAL = ("equals", "one_of", "contains")


def models(whole: Whole) -> Iterator[Flaw]:
    """Every index whose fields in another order would serve its patterns by reading less, and none of them worse."""
    served: dict[tuple[str, str], list[Planned[Any]]] = {}
    for plan in whole.plans:
        if plan.binding.engine == "mongodb" and isinstance(plan.path, AccessPath) and plan.path.by.kind == "index":
            served.setdefault((plan.binding.name, plan.path.by.name), []).append(plan)
    for (binding, name), plans in served.items():
        for plan in plans:
            index = _index(plan)
            keys = _ordered(plan, index) if index else []
            if index is None or keys == list(index.keys) or not _is_better(plan, plans, index, keys):
                continue
            written = ", ".join(f'"{"-" if direction == -1 else ""}{field}"' for field, direction in keys)
            yield Flaw(
                problem=f'index "{name}" does not begin with what "{plan.pattern.name}" asks by equality, so that more '
                "of it is read than is wanted",
                help=f"order its fields by equality, sort, range: kw.Index([{written}])",
                subject=binding,
                part=name,
            )
            break


def live(seen: Seen) -> Iterator[Flaw]:
    """Every pattern whose order an index is to keep, and that the server sorts in memory."""
    plans = {plan.pattern.name: plan for plan in seen.plans()}
    for name, asked in seen.found.asked.items():
        path = plans[name].path if name in plans else None
        sorting = SORTS & {*asked.stages}
        if sorting and isinstance(path, AccessPath) and path.order != "memory" and "EOF" not in asked.stages:
            yield Flaw(
                problem=f'the server sorts in memory for it, in stage "{min(sorting)}", and {path.by} was to keep the '
                "order",
                help="`keywright drift` shows whether the index is as it should be",
                subject=name,
                at=plans[name].pattern.at,
            )


def _index(plan: Planned[Any]) -> IndexView | None:
    """The index of several fields that serves a pattern, if it holds a field whose equality it does not use."""
    path = plan.path
    equal = {one.field for one in path.residual if one.how in _EQUAL} if isinstance(path, AccessPath) else set[str]()
    found = view(plan.target, plan.binding) if equal else None
    if found is None or not isinstance(path, AccessPath):
        return None
    index = next((one for one in found.indexes if one.by == path.by and one.kind == "fields"), None)
    if index is None or not any(field in equal for field, _ in index.keys):
        return None
    spread = shard_key(found.database, found.collection)
    # A sharded collection has to have an index that begins with the shard key.
    return None if spread and index.target.keys[: len(spread)] == spread else index


def _ordered(plan: Planned[Any], index: IndexView) -> list[tuple[str, int | str]]:
    """Its fields by equality, sort and range."""
    pattern = plan.pattern
    equal = {*pattern.eq, *(one.field for one in pattern.where if one.test == "equals")}
    several = {*pattern.one_of, pattern.contains, *(one.field for one in pattern.where if one.test == "one_of")}
    sort = {name.removeprefix("-") for name in pattern.order}

    def rank(key: tuple[str, int | str]) -> int:
        field = key[0]
        return 0 if field in equal else 1 if field in several - sort else 2 if field in sort else 3

    return sorted(index.keys, key=rank)


def _is_better(
    plan: Planned[Any], others: list[Planned[Any]], index: IndexView, keys: list[tuple[str, int | str]]
) -> bool:
    """Whether the fields in this order serve the pattern with less left to judge, and the others no worse."""
    found = view(plan.target, plan.binding)
    assert found is not None
    made = replace(index.target, keys=tuple((found.path(field), direction) for field, direction in keys))
    target = with_index(plan.target, found.name, made)
    for one in others:
        assert isinstance(one.path, AccessPath)
        path = next(served_by(target, one.binding, one.pattern, made.name), None)
        if path is None or path.order != one.path.order or not set(path.residual) <= set(one.path.residual):
            return False
        if one is plan and len(path.residual) == len(one.path.residual):
            return False
    return True
