"""INF203: whoever reaches an ElastiCache group may read and change all that is in it."""

from collections.abc import Iterator

from keywright.engines.flaws.context import Flaw
from keywright.engines.flaws.resource import Resource

GROUP = "aws:elasticache/replicationGroup:ReplicationGroup"


def resource(one: Resource) -> Iterator[Flaw]:
    """Every group without users and without a token; which they are need not be known."""
    if one.type == GROUP and not any(name in one.inputs for name in ("authToken", "authTokenWo", "userGroupIds")):
        yield Flaw(
            problem="neither users nor a token are asked for: whoever reaches it may do anything",
            help="say user_group_ids=[group.id], or auth_token_wo= with a secret; both need transit_encryption_enabled",
            subject=one.urn,
        )
