"""INF309: a parameter group of DocumentDB disables the audit log or the expiry of documents."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft
from keywright.engines.findings.program_resource import ProgramResource

GROUP = "aws:docdb/clusterParameterGroup:ClusterParameterGroup"

_OFF = ("disabled", "none", "")


def resource(program_resource: ProgramResource) -> Iterator[FindingDraft]:
    """Report every group without audit_logs, which are disabled by default, or with a disabled ttl_monitor."""
    if program_resource.type != GROUP:
        return
    rows = program_resource.value("parameters") or ()
    values = {str(row["name"]): str(row["value"]).lower() for row in rows}
    if values.get("audit_logs", "") in _OFF:
        cause = "audit_logs is disabled" if "audit_logs" in values else "audit_logs is not set, and disabled by default"
        yield FindingDraft(
            problem=f"{cause}: clusters with this group record no logins and changes, even if they export audit",
            help='add {"name": "audit_logs", "value": "enabled"} to parameters=',
            subject=program_resource.urn,
        )
    if values.get("ttl_monitor") == "disabled":
        yield FindingDraft(
            problem="ttl_monitor is disabled: no TTL index deletes anything, and expired documents are read and billed",
            help="remove ttl_monitor, which is enabled by default",
            subject=program_resource.urn,
        )
