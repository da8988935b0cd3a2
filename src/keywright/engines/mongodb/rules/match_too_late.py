"""MDB019: an aggregate takes documents apart before an index has chosen them.

https://www.mongodb.com/docs/manual/core/aggregation-pipeline-optimization/ (2026-11-22)
"""

from collections.abc import Iterator
from dataclasses import replace

from keywright.access.path import NotServed
from keywright.engines.flaws.context import Flaw, Whole
from keywright.engines.mongodb.access.what_if import served_by


def models(whole: Whole) -> Iterator[Flaw]:
    """Every aggregate that nothing serves since no index chooses its documents."""
    for plan in whole.plans:
        pattern = plan.pattern
        if plan.binding.engine != "mongodb" or pattern.kind != "aggregate" or pattern.unserved:
            continue
        if not isinstance(plan.path, NotServed):
            continue
        counted = replace(pattern, kind="count", joins=())
        if any(served_by(plan.target, plan.binding, counted)):
            continue  # documents are found: it is something else that is not served
        yield Flaw(
            problem=f"all documents of {plan.binding.name} go through it, since no index finds those that are meant",
            help="choose first, such as by range= over a time, and index that; or keep the figures up to date",
            subject=pattern.name,
            at=pattern.at,
        )
