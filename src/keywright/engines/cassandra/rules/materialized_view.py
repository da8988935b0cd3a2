"""CAS037: a materialized view serves a query, although views are experimental and can diverge from their table."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.errors import quoted

from ..findings.tables import entities


def models(context: RuleContext) -> Iterator[FindingDraft]:
    """Every view in Cassandra itself; in ScyllaDB, views are for production."""
    for target, binding, _ in entities(context):
        for view in binding.spec.views if target.environment.flavour == "cassandra" else ():
            columns = [view.partition] if isinstance(view.partition, str) else view.partition
            yield FindingDraft(
                problem=f'view "{view.name}" is experimental in Cassandra and off by default: it can diverge from its '
                "table, and no repair restores it",
                help=f"keep the rows in a second CqlTable that is partitioned by {quoted(columns)}, and write both in "
                "one kw.Transact",
                subject=binding.name,
                part=view.name,
            )
