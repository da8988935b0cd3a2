"""GEN014: an alarm watches the mean of latencies, in which the slow calls are lost."""

from collections.abc import Iterator

from keywright.engines.flaws.context import Flaw
from keywright.engines.flaws.metric_alarms import watched
from keywright.engines.flaws.resource import Resource


def resource(one: Resource, *, statistic: str = "p99") -> Iterator[Flaw]:
    """Every such alarm of a store.

    statistic: what is advised in place of the mean.
    """
    for metric in watched(one):
        if "Latency" in metric.metric and metric.statistic in ("Average", "Minimum", "Sum", "SampleCount"):
            yield Flaw(
                problem=f"it watches the {metric.statistic} of {metric.metric}, in which a slow call of fifty is lost",
                help=f'say extended_statistic="{statistic}" in place of statistic',
                subject=one.urn,
            )
