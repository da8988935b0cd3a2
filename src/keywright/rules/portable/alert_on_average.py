"""GEN014: an alarm on average latency hides slow calls; use p99."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft
from keywright.engines.findings.metric_alarms import watched
from keywright.engines.findings.program.resource import ProgramResource


def resource(program_resource: ProgramResource, *, statistic: str = "p99") -> Iterator[FindingDraft]:
    """Report every such alarm on a latency of a store.

    statistic: the proposed statistic.
    """
    for metric in watched(program_resource):
        if "Latency" in metric.metric and metric.statistic in ("Average", "Minimum", "Sum", "SampleCount"):
            yield FindingDraft(
                problem=f"the alarm uses the {metric.statistic} of {metric.metric}, which hides one slow call in fifty",
                help=f'set extended_statistic="{statistic}" instead of statistic',
                subject=program_resource.urn,
            )
