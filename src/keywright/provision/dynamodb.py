"""DynamoDB tables as resources of the AWS provider."""

from collections.abc import Sequence
from typing import Any

import pulumi
import pulumi_aws as aws

from keywright.compiler import Placed
from keywright.engines.dynamodb.resources import options as options_of
from keywright.engines.dynamodb.resources import to_resource

from .naming import snake

NOT_SAID = {
    "import_table": "data comes by migrations and backfills",
    "restore_backup_arn": "a restored table is imported into the stack",
    "restore_date_time": "likewise",
    "restore_source_name": "likewise",
    "restore_source_table_arn": "likewise",
    "restore_to_latest_time": "likewise",
    "region": "the provider's, from aws:region",
    "replicas": "tables in several regions are not declared yet",
    "global_table_witness": "likewise",
}
"""Arguments of a table that no program of ours gives, and why; all others are."""


def table(name: str, one: Placed, order: Sequence[str], options: pulumi.ResourceOptions) -> aws.dynamodb.Table:
    """The resource of a placed table.

    name: what the stack calls it. order: its indexes in the order in which they were made.
    """
    placed: Any = one.placed
    told: Any = options_of(placed)
    own = pulumi.ResourceOptions(
        protect=told["protect"],
        retain_on_delete=told["retainOnDelete"],
        custom_timeouts=pulumi.CustomTimeouts(**told["customTimeouts"]),
    )
    return aws.dynamodb.Table(
        name, **snake(to_resource(placed, order)), opts=pulumi.ResourceOptions.merge(own, options)
    )
