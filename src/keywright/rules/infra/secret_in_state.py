"""INF612: a password is an input, and stays in the state of the stack."""

from collections.abc import Iterator

from keywright.engines.flaws.context import Flaw
from keywright.engines.flaws.resource import Resource

SECRETS = {
    "aws:docdb/cluster:Cluster": ("masterPassword", "manage_master_user_password=True"),
    "aws:elasticache/replicationGroup:ReplicationGroup": ("authToken", "auth_token_wo= with auth_token_wo_version"),
    "aws:elasticache/user:User": (
        "passwords",
        "passwords_wo= with passwords_wo_version, or authentication_mode of IAM",
    ),
    "mongodbatlas:index/databaseUser:DatabaseUser": ("password", 'aws_iam_type="ROLE", which has none'),
}
"""(input, what to say in its place) by type.
Source: https://www.pulumi.com/registry/packages/aws/api-docs/, 2026-11-22."""


def resource(one: Resource) -> Iterator[Flaw]:
    """Every such input, known or not."""
    argument, instead = SECRETS.get(one.type, ("", ""))
    if argument and argument in one.inputs:
        yield Flaw(
            problem=f"{argument} is kept in the state: whoever may read that and has its key knows the password",
            help=f"say {instead}",
            subject=one.urn,
        )
