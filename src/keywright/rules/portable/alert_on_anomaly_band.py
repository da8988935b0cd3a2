"""GEN015: an alarm follows a band that is learnt from the past, in which what spikes anyhow has no bound."""

from collections.abc import Iterator

from keywright.engines.flaws.context import Flaw
from keywright.engines.flaws.metric_alarms import watched
from keywright.engines.flaws.resource import Resource


def resource(one: Resource) -> Iterator[Flaw]:
    """Every such alarm of a store."""
    for metric in watched(one):
        if one.value("thresholdMetricId"):
            yield Flaw(
                problem=f"it is told when {metric.metric} leaves a band of what is usual, which each spike widens",
                help="say threshold= with the number from which on somebody must act",
                subject=one.urn,
            )
            return
