"""GEN015: an anomaly detection alarm has no fixed threshold, so traffic spikes widen its band."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft
from keywright.engines.findings.metric_alarms import watched
from keywright.engines.findings.program.resource import ProgramResource


def resource(program_resource: ProgramResource) -> Iterator[FindingDraft]:
    """Report every such alarm on a metric of a store."""
    for metric in watched(program_resource):
        if program_resource.value("thresholdMetricId"):
            yield FindingDraft(
                problem=f"the alarm compares {metric.metric} with an anomaly band, which each spike widens",
                help="set threshold= to the value that requires action",
                subject=program_resource.urn,
            )
            return
