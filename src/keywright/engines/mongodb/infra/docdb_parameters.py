"""INF309: a parameter group of DocumentDB disables the audit log or the expiry of documents."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft
from keywright.engines.findings.program.resource import ProgramResource

GROUP = "aws:docdb/clusterParameterGroup:ClusterParameterGroup"

_WITH_LOGINS = {"enabled", "ddl", "all"}
"""Values of audit_logs that include logins.
Source: https://docs.aws.amazon.com/documentdb/latest/developerguide/event-auditing.html, 2026-11-23."""


def resource(program_resource: ProgramResource) -> Iterator[FindingDraft]:
    """Report every group without logins in audit_logs, which is disabled by default, or with a disabled ttl_monitor."""
    if program_resource.type != GROUP:
        return
    rows = program_resource.value("parameters") or ()
    values = {str(row["name"]): str(row["value"]).lower() for row in rows}
    if not _WITH_LOGINS & {value.strip() for value in values.get("audit_logs", "").split(",")}:
        cause = f"audit_logs is {values['audit_logs']}" if "audit_logs" in values else "audit_logs is not set"
        yield FindingDraft(
            problem=f"{cause}: clusters with this group record no logins, even if they export audit",
            help='add {"name": "audit_logs", "value": "enabled"} to parameters=',
            subject=program_resource.urn,
        )
    if values.get("ttl_monitor") == "disabled":
        yield FindingDraft(
            problem="ttl_monitor is disabled: no TTL index deletes anything, and expired documents are read and billed",
            help="remove ttl_monitor, which is enabled by default",
            subject=program_resource.urn,
        )
