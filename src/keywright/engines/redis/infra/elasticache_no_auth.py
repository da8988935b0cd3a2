"""INF203: an ElastiCache replication group or serverless cache requires no authentication."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft
from keywright.engines.findings.program.resource import ProgramResource

GROUP = "aws:elasticache/replicationGroup:ReplicationGroup"
SERVERLESS = "aws:elasticache/serverlessCache:ServerlessCache"


def resource(program_resource: ProgramResource) -> Iterator[FindingDraft]:
    """Report every group and cache without users and without a token; their values may be unknown."""
    if program_resource.type == GROUP:
        arguments: tuple[str, ...] = ("authToken", "authTokenWo", "userGroupIds")
        help = "set user_group_ids=[group.id], or auth_token_wo= with a secret; both need transit_encryption_enabled"
    elif program_resource.type == SERVERLESS and program_resource.value("engine") != "memcached":
        arguments, help = ("userGroupId",), "set user_group_id=group.id"
    else:
        return
    if not any(argument in program_resource.inputs for argument in arguments):
        yield FindingDraft(
            problem="it requires neither a user nor a token: every client with network access has full access",
            help=help,
            subject=program_resource.urn,
        )
