"""Indexes beside the one that serves a read, for rules about indexes."""

from collections.abc import Iterator
from typing import Any

from keywright.access.path import AccessPath, By, Candidate, NotServed
from keywright.access.search import Planned, without
from keywright.engines.registry import engine_named

from .context import RuleContext


def is_related(plan: Planned[Any], by: By) -> bool:
    """Whether an unserved read has a condition on the start of an index."""
    rejected = plan.path.rejected if isinstance(plan.path, NotServed) else ()
    return not any(candidate.by == by and candidate.is_unrelated for candidate in rejected)


def alternatives(plan: Planned[Any]) -> Iterator[Candidate]:
    """The indexes that would serve a read without its residual filter: one that costs more on average, but less for a
    key with many items, and in DynamoDB one that serves eventual reads."""
    if isinstance(plan.path, AccessPath) and plan.path.residual:
        for candidate in plan.others:
            is_eventual = candidate.by.kind == "gsi" and plan.pattern.consistency != "eventual"
            if is_eventual or (isinstance(candidate, AccessPath) and not candidate.residual):
                yield candidate


def without_redundant(context: RuleContext, plan: Planned[Any]) -> Planned[Any]:
    """A plan after the removal of redundant indexes, if one of them serves it."""
    facts = context.storage_facts(plan.binding)
    if facts is None or not isinstance(plan.path, AccessPath) or plan.path.by not in facts.redundant:
        return plan
    return without(engine_named(plan.binding.engine), plan, facts.redundant)
