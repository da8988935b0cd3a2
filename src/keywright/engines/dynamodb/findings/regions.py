"""Regions in which transactions can run, for rules about tables with replicas."""

from collections import defaultdict
from collections.abc import Mapping

from keywright.engines.findings.context import RuleContext

from .uses import settings_of


def bound_to_one_region(context: RuleContext) -> Mapping[str, frozenset[str]]:
    """Transactions that each table with replicas shares with a table without any, by the name of the table.

    Such a transaction runs in one region only, because all its tables must be in the region of the request.
    Source: https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html (2026-11-28).
    """
    has_replicas = {target.declared.name: bool(settings.replicas) for target, settings in settings_of(context)}
    transactions: dict[str, set[str]] = defaultdict(set)
    for plan in context.plans:
        if plan.pattern.kind != "transact":
            continue
        tables = {part.binding.physical.name for part in plan.parts} & has_replicas.keys()
        if any(not has_replicas[table] for table in tables):
            for table in tables:
                transactions[table].add(plan.pattern.name)
    return {table: frozenset(names) for table, names in transactions.items() if has_replicas[table]}
