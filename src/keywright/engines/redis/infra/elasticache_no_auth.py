"""INF203: an ElastiCache replication group requires no authentication."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft
from keywright.engines.findings.program_resource import ProgramResource

GROUP = "aws:elasticache/replicationGroup:ReplicationGroup"


def resource(program_resource: ProgramResource) -> Iterator[FindingDraft]:
    """Report every group without users and without a token; their values may be unknown."""
    if program_resource.type == GROUP and not any(
        name in program_resource.inputs for name in ("authToken", "authTokenWo", "userGroupIds")
    ):
        yield FindingDraft(
            problem="it requires neither a user nor a token: every client with network access has full access",
            help="set user_group_ids=[group.id], or auth_token_wo= with a secret; both need transit_encryption_enabled",
            subject=program_resource.urn,
        )
