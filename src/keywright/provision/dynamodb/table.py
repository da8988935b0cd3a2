"""DynamoDB tables as resources of the AWS provider."""

from typing import Any

import pulumi
import pulumi_aws as aws

from keywright.api.pulumi.plain import ProvidedTable
from keywright.engines.dynamodb.schema.companion_resources import KINESIS
from keywright.engines.monitoring.alarms import ALARM
from keywright.record import replace

from ..resources import alarm_resource, class_of
from ..values import snake
from .names import ResourceNames

OMITTED = {
    "import_table": "migrations and backfills write the data",
    "restore_backup_arn": "restored tables are imported into the stack",
    "restore_date_time": "likewise",
    "restore_source_name": "likewise",
    "restore_source_table_arn": "likewise",
    "restore_to_latest_time": "likewise",
    "region": "the provider has it from aws:region",
}
"""Arguments of a table that programs never set, with the reason; all others are set."""


def table(
    key: str, provided: ProvidedTable, parent: pulumi.Resource, resource_names: ResourceNames
) -> aws.dynamodb.Table:
    """The resource of a table.

    key: key of the table. resource_names: the names of the resources of this parent.
    """
    arguments: Any = provided.options
    options = pulumi.ResourceOptions(
        parent=parent,
        protect=arguments["protect"],
        retain_on_delete=arguments["retainOnDelete"],
        custom_timeouts=pulumi.CustomTimeouts(**arguments["customTimeouts"]),
        ignore_changes=arguments.get("ignoreChanges"),
        aliases=resource_names.former(key),
    )
    return aws.dynamodb.Table(resource_names(key), **snake(provided.inputs), opts=options)


def companions(
    key: str,
    provided: ProvidedTable,
    table: aws.dynamodb.Table,
    parent: pulumi.Resource,
    resource_names: ResourceNames,
    topic: pulumi.Input[str] | None,
) -> None:
    """Create the companion resources of a table, each after its parent.

    key, resource_names: see `table`. topic: see `alarm_resource`.
    """
    resources: dict[str, pulumi.Resource] = {key: table}
    for resource in provided.companions:
        options = pulumi.ResourceOptions(
            parent=parent,
            depends_on=[resources[resource.within]],
            ignore_changes=list(resource.ignores) or None,
            delete_before_replace=resource.type == KINESIS or None,  # a table has one at most
            aliases=resource_names.former(resource.name),
        )
        renamed = replace(resource, name=resource_names(resource.name))
        if resource.type == ALARM:
            alarm_resource(renamed, topic, options)
        else:
            resources[resource.name] = class_of(resource.type)(renamed.name, **snake(resource.inputs), opts=options)
