"""CAS021: the threshold of an alert is so high that requests fail before it fires."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.ir.text import exact

from ..declare.settings import CassandraAlerts, CassandraEnvironment
from ..schema.capabilities import TOMBSTONES_REFUSED


def models(
    context: RuleContext,
    *,
    tombstones: int = 10_000,
    tombstones_critical: int = TOMBSTONES_REFUSED.value // 2,
    pending_compactions: int = 500,
    dropped_mutations: int = 100,
) -> Iterator[FindingDraft]:
    """Every environment with such a threshold, once for all of its keyspaces.

    tombstones: most tombstones of a read without an alert. tombstones_critical: the same for the critical alert; nodes
    abort reads of 100,000. pending_compactions: most pending compactions of a node. dropped_mutations: most writes that
    a node dropped in five minutes.
    """
    target = next(context.of("cassandra"), None)
    if target is None or target.environment.flavour != "cassandra":
        return
    environment: CassandraEnvironment = target.environment  # type: ignore[assignment]  # it is Cassandra's
    rows = (
        ("tombstones", environment.alerts.tombstones, tombstones),
        ("tombstones-critical", environment.alerts.tombstones_critical, tombstones_critical),
        ("pending-compactions", environment.alerts.pending_compactions, pending_compactions),
        ("dropped-mutations", environment.alerts.dropped_mutations, dropped_mutations),
    )
    high = [(name, value, most) for name, value, most in rows if value is not None and value > most]
    if not high:
        return
    usual = CassandraAlerts()
    defaults = ", ".join(f"{name}: {exact(getattr(usual, name.replace('-', '_')))}" for name, _, _ in high)
    values = ", ".join(f"{name} at {exact(value)} (at most {most:,} is useful)" for name, value, most in high)
    yield FindingDraft(
        problem=f"the alerts on {values} fire only after requests have begun to time out",
        help=f"say alerts: {{{defaults}}} in the stack file, which are the defaults",
        subject=target.declared.name,
        at=target.setting("alerts", high[0][0]),
    )
