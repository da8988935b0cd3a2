"""DynamoDB tables as resources of the AWS provider."""

from collections.abc import Sequence
from typing import Any

import pulumi
import pulumi_aws as aws

from keywright.compiler import Placed
from keywright.engines.dynamodb.beside import beside as resources_beside
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
        ignore_changes=told.get("ignoreChanges"),
    )
    return aws.dynamodb.Table(
        name, **snake(to_resource(placed, order)), opts=pulumi.ResourceOptions.merge(own, options)
    )


def beside(name: str, one: Placed, table: aws.dynamodb.Table, options: pulumi.ResourceOptions) -> None:
    """The resources beside that of a placed table, each made after what it is within."""
    placed: Any = one.placed
    made: dict[str, pulumi.Resource] = {name: table}
    for resource in resources_beside(name, placed):
        own = pulumi.ResourceOptions(depends_on=[made[resource.within]], ignore_changes=list(resource.ignores) or None)
        opts = pulumi.ResourceOptions.merge(own, options)
        made[resource.name] = _kind(resource.type)(resource.name, **snake(resource.inputs), opts=opts)


def _kind(type: str) -> Any:
    """The class of the SDK for a type such as `aws:appautoscaling/target:Target`."""
    _, module, name = type.split(":")
    return getattr(getattr(aws, module.split("/")[0]), name)
