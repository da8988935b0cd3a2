"""INF512: an Atlas project has no alerts, or an alert is disabled or notifies nobody."""

from collections.abc import Iterator, Sequence

from keywright.engines.findings.context import FindingDraft
from keywright.engines.findings.program.resource import ProgramResource

PROJECT = "mongodbatlas:index/project:Project"
ALERT = "mongodbatlas:index/alertConfiguration:AlertConfiguration"


def stack(all: Sequence[ProgramResource]) -> Iterator[FindingDraft]:
    """Report projects without the default alerts and without others, and alerts without effect."""
    alerts = [resource for resource in all if resource.type == ALERT]
    for project in all if not alerts else ():
        if project.type == PROJECT and project.value("withDefaultAlertsSettings") is False:
            yield FindingDraft(
                problem="with_default_alerts_settings is False and the program has no alert: nobody learns that a "
                "member is down or a disk is full",
                help="remove it, or add a mongodbatlas.AlertConfiguration for each alert that you need",
                subject=project.urn,
            )
    for alert in alerts:
        if alert.value("enabled") is False:
            problem, help = "enabled is False: the alert never fires", "set enabled=True, or remove the alert"
        elif "notifications" not in alert.inputs:
            problem, help = "it has no notifications: nobody sees the alert", "add notifications="
        else:
            continue
        yield FindingDraft(problem=problem, help=help, subject=alert.urn)
