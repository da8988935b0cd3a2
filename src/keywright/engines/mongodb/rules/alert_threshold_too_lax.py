"""MDB043: an alert's threshold is so far from normal operation that it comes too late.

https://www.mongodb.com/docs/manual/administration/production-checklist-operations/ (2026-11-23) contains no number; the
defaults are ours.
"""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.mongodb.declare.settings import MongoEnvironment
from keywright.ir.text import counted, exact


def models(
    context: RuleContext,
    *,
    max_lag_seconds: float = 60,
    min_cache_hits_percent: float = 70,
    max_connections_percent: float = 90,
) -> Iterator[FindingDraft]:
    """The alerts of an environment with such thresholds; an alert that is switched off by null is not reported, unless
    all are.

    max_lag_seconds, max_connections_percent: the highest thresholds. min_cache_hits_percent: the lowest one.
    """
    target = next(context.of("mongodb"), None)
    environment = target.environment if target else None
    if target is None or not isinstance(environment, MongoEnvironment):
        return
    alerts = environment.alerts
    lag, hits, connections = alerts.lag_seconds, alerts.cache_hits_percent, alerts.connections_percent
    late = {
        "lag-seconds": f"{exact(lag)}, {counted(max_lag_seconds, 'is recommended', 'are recommended')}"
        if lag is not None and lag > max_lag_seconds
        else "",
        "cache-hits-percent": f"{exact(hits)}, at least "
        f"{counted(min_cache_hits_percent, 'is recommended', 'are recommended')}"
        if hits is not None and hits < min_cache_hits_percent
        else "",
        "connections-percent": f"{exact(connections)}, "
        f"{counted(max_connections_percent, 'is recommended', 'are recommended')}"
        if connections is not None and connections > max_connections_percent
        else "",
    }
    problems = [f"{name} is {problem}" for name, problem in late.items() if problem]
    if all(threshold is None for threshold in (lag, hits, connections, alerts.connections)):
        problems = ["all are switched off by null"]
    if problems:
        yield FindingDraft(
            problem=f"alerts for MongoDB come too late or never: {'; '.join(problems)}",
            help="remove these thresholds from alerts: in the stack file; the defaults are 10, 90 and 80",
            subject=target.declared.name,
            at=target.setting("alerts"),
        )
