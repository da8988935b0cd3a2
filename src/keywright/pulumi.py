"""Resources for Pulumi programs.

```python
import keywright.pulumi

keywright.pulumi.provision()
```
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass

import pulumi

from keywright.api.pulumi.plain import POSITION, Provided
from keywright.provision.dynamodb.tables import STORE, Tables
from keywright.provision.resources import alarm_resource, parameter_group, provider_resource
from keywright.provision.stack import stack_of

__all__ = ["Provisioned", "Tables", "provision"]


@dataclass(frozen=True)
class Provisioned:
    """Results of `provision` for other resources of a program."""

    tables: Tables
    """The tables of DynamoDB."""
    parameter_groups: Mapping[str, pulumi.Output[str]]
    """Names of the parameter groups of managed services, by the declared name of the Redis server that uses one;
    `documentdb/cluster` is for that of DocumentDB."""


def provision(environment: str | None = None, *, topic: pulumi.Input[str] | None = None) -> Provisioned:
    """Create all resources of the stack's environment, and export their names.

    environment: by default the one with the stack's name. topic: ARN of the topic for alarms, such as one that the
    program creates; by default the one of the stack file.
    """
    stack = stack_of(environment)
    if POSITION not in os.environ:
        _warn_pending(stack)
    own = None if stack.environment == pulumi.get_stack() else stack.environment
    keys = {resource.id: provider_resource(resource, own, ()) for resource in stack.keys}
    first = pulumi.ResourceOptions(depends_on=[resource for store, resource in keys.items() if store == STORE])
    tables = Tables(STORE, stack, topic=topic, opts=first)
    pulumi.export("tables", tables.names)
    pulumi.export("table_arns", tables.arns)
    groups = {key: parameter_group(group).name for key, group in stack.parameter_groups.items()}
    if groups:
        pulumi.export("parameter_groups", groups)
    for alarm in stack.alarms:
        alarm_resource(alarm, topic)
    _provider_resources(stack, tables, keys, own)
    return Provisioned(tables, groups)


def _warn_pending(stack: Provided) -> None:
    """Warn of pending migrations, which a bare `pulumi up` does not apply."""
    command = f"keywright --env {stack.environment} migrate"
    for folder in stack.pending:
        pulumi.log.warn(f"{folder} is not applied here yet")
    if stack.pending:
        how = f"`{command} plan` shows the changes with a hash, and `{command} apply --approved HASH` applies them"
        pulumi.log.warn(f"a bare `pulumi up` changes no schema: {how}")


def _provider_resources(stack: Provided, tables: Tables, keys: Mapping[str, pulumi.Resource], own: str | None) -> None:
    """Create the resources of keywright's own provider; if the stack follows the models, also runs that convert items.

    keys: resources with the item keys of each store, which precede its other resources. own: see `provider_resource`.
    """
    stores: dict[str, dict[str, pulumi.Resource]] = {STORE: {"tables": tables}}
    for other in stack.others:
        resources, resource = stores.setdefault(other.store, {}), other.resource
        key = [keys[other.store]] if other.store in keys else []
        after = [resources[resource.within]] if resource.within else key
        resources[resource.name] = provider_resource(resource, own, after, other.is_protected)
    for run in stack.runs:
        provider_resource(run, own, list(stores.get(run.id, {}).values()))
