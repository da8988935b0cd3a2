"""DynamoDB tables as resources of the AWS provider."""

from typing import Any

import pulumi
import pulumi_aws as aws

from keywright.api.provided import Table
from keywright.engines.alarms import ALARM

from . import alarms
from .managed import class_of
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


def table(name: str, one: Table, parent: pulumi.Resource) -> aws.dynamodb.Table:
    """The resource of a table.

    name: what the stack calls it.
    """
    told: Any = one.options
    options = pulumi.ResourceOptions(
        parent=parent,
        protect=told["protect"],
        retain_on_delete=told["retainOnDelete"],
        custom_timeouts=pulumi.CustomTimeouts(**told["customTimeouts"]),
        ignore_changes=told.get("ignoreChanges"),
    )
    return aws.dynamodb.Table(name, **snake(one.inputs), opts=options)


def beside(
    name: str, one: Table, table: aws.dynamodb.Table, parent: pulumi.Resource, topic: pulumi.Input[str] | None
) -> None:
    """The resources beside that of a table, each made after what it is within.

    topic: see `alarms.resource`.
    """
    made: dict[str, pulumi.Resource] = {name: table}
    for resource in one.beside:
        options = pulumi.ResourceOptions(
            parent=parent, depends_on=[made[resource.within]], ignore_changes=list(resource.ignores) or None
        )
        if resource.type == ALARM:
            alarms.resource(resource, topic, options)
        else:
            made[resource.name] = class_of(resource.type)(resource.name, **snake(resource.inputs), opts=options)
