"""What a Pulumi program imports.

```python
import keywright.pulumi

keywright.pulumi.provision()
```
"""

import json
import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pulumi
from pulumi.runtime.config import get_config_env, is_config_secret

from keywright.api.provided import POSITION, Provided
from keywright.engines.dynamodb.policy import policy
from keywright.errors import DeclarationErrors, KeywrightError, did_you_mean
from keywright.project.settings import Settings, read_settings
from keywright.provision import alarms, custom, dynamodb, managed, streams
from keywright.provision.recall import keep, recalled

__all__ = ["Provisioned", "Tables", "provision"]


class Tables(pulumi.ComponentResource):
    """The DynamoDB tables of an environment."""

    names: Mapping[str, pulumi.Output[str]]
    """Physical names, by declared name; a later generation is `orders--k2`."""
    arns: Mapping[str, pulumi.Output[str]]
    """ARNs, likewise."""
    stream_arns: Mapping[str, pulumi.Output[str]]
    """ARNs of streams, of the tables that have one."""
    index_names: Mapping[str, Sequence[str]]
    """Names of the global indexes, likewise."""

    def __init__(
        self, name: str, stack: Provided | None = None, *, environment: str | None = None,
        topic: pulumi.Input[str] | None = None, opts: pulumi.ResourceOptions | None = None,
    ) -> None:  # fmt: skip
        """The tables of the project whose pyproject.toml is next above.

        stack: what `provision` has found; else it is found here. environment: the one that is meant, by default that of
        the stack's name. topic: the ARN of the topic that alarms tell, by default the one of the stack file. Whatever
        is wrong with the models or the stack file ends the program with a message.
        """
        super().__init__("keywright:dynamodb:Tables", name, None, opts)
        stack = stack or _stack(environment)
        self._stack = stack
        found = {key: dynamodb.table(key, one, self) for key, one in stack.tables.items()}
        for key, table in found.items():
            dynamodb.beside(key, stack.tables[key], table, self, topic)
        self.names = {key: table.name for key, table in found.items()}
        self.arns = {key: table.arn for key, table in found.items()}
        self.stream_arns = {key: table.stream_arn for key, table in found.items() if stack.tables[key].has_stream}
        self.index_names = {key: one.indexes for key, one in stack.tables.items()}
        self.register_outputs({"names": self.names, "arns": self.arns, "streamArns": self.stream_arns})

    def consume(
        self, table: str, consumer: str, function: pulumi.Input[str], *, queue: pulumi.Input[str] | None = None,
        batch_size: int = streams.BATCH, retries: int = streams.RETRIES,
    ) -> None:  # fmt: skip
        """Hand the changes of a table to a consumer that the models declare: a function of Lambda, which is yours.

        table: as in `names`. function: its name or ARN. queue: the ARN of the queue or topic for changes that it cannot
        handle, where the consumer says on_failure="queue". retries: before a change goes there or is dropped. What the
        models do not declare ends the program; a stream that is still to come here is told.
        """
        from keywright.compiler import load  # heavy, and not wanted by a program that only makes tables

        name = self._stack.tables[table].declared if table in self._stack.tables else table
        found = streams.declared(load().design, name, consumer)
        if table not in self.stream_arns:
            pulumi.log.warn(f'the stream of table "{table}" is still to come here, and "{consumer}" with it')
            return
        streams.mapping(
            f"{table}/{consumer}", found, {"stream": self.stream_arns[table], "function": function, "queue": queue},
            batch_size=batch_size, retries=retries, tags=self._stack.tags, options=pulumi.ResourceOptions(parent=self),
        )  # fmt: skip

    def policy(self, *patterns: str) -> pulumi.Output[str]:
        """The IAM policy document, as JSON, of who calls these patterns and nothing else.

        patterns: their names, such as `orders_of_user`. A name that no pattern on DynamoDB has ends the program.
        """
        known = self._stack.grants
        if unknown := [name for name in patterns if name not in known]:
            help = did_you_mean(unknown[0], list(known))
            raise pulumi.RunError(f'no pattern on DynamoDB is called "{unknown[0]}"\n  help: {help}')
        granted = [grant for name in patterns for grant in known[name]]
        arns = pulumi.Output.all(*(pulumi.Output.all(self.names[key], self.arns[key]) for key in self.names))
        return arns.apply(lambda found: json.dumps(policy(granted, dict(found))))


@dataclass(frozen=True)
class Provisioned:
    """What `provision` has made that other resources of a program take."""

    tables: Tables
    """The tables of DynamoDB."""
    parameter_groups: Mapping[str, pulumi.Output[str]]
    """Names of the parameter groups of managed services, by the declared name of the Redis server that takes one;
    `documentdb/cluster` is for that of DocumentDB."""


def provision(environment: str | None = None, *, topic: pulumi.Input[str] | None = None) -> Provisioned:
    """Everything that the stack's environment has, as resources; what they are called is exported.

    environment: the one that is meant, by default that of the stack's name. topic: the ARN of the topic that alarms
    tell, such as one that the program makes; by default the one of the stack file.
    """
    stack = _stack(environment)
    if POSITION not in os.environ:
        _tell_pending(stack)
    tables = Tables("dynamodb", stack, topic=topic)
    pulumi.export("tables", tables.names)
    pulumi.export("table_arns", tables.arns)
    groups = {key: managed.resource(one).name for key, one in stack.parameter_groups.items()}
    if groups:
        pulumi.export("parameter_groups", groups)
    for alarm in stack.alarms:
        alarms.resource(alarm, topic)
    _others(stack, tables)
    return Provisioned(tables, groups)


def _tell_pending(stack: Provided) -> None:
    """What is still to come, which is not for a bare `pulumi up`, and how it comes."""
    command = f"keywright --env {stack.environment} migrate"
    for folder in stack.pending:
        pulumi.log.warn(f"{folder} is still to come here")
    if stack.pending:
        how = f"`{command} plan` shows it with a hash, and `{command} apply --approved HASH` lands it"
        pulumi.log.warn(f"a bare `pulumi up` changes no schema: {how}")


def _others(stack: Provided, tables: Tables) -> None:
    """Resources of keywright's own provider; where the stack follows the models, stored items do so behind them."""
    own = None if stack.environment == pulumi.get_stack() else stack.environment
    stores: dict[str, dict[str, pulumi.Resource]] = {"dynamodb": {"tables": tables}}
    for one in stack.others:
        made, resource = stores.setdefault(one.store, {}), one.resource
        after = [made[resource.within]] if resource.within else []
        made[resource.name] = custom.resource(resource, own, after, one.is_protected)
    for run in stack.runs:
        custom.resource(run, own, list(stores.get(run.id, {}).values()))


def _stack(environment: str | None) -> Provided:
    """What the environment is to have."""
    given = {key.removeprefix("keywright:"): value for key, value in get_config_env().items()}
    _refuse_open(given)
    name, position = environment or pulumi.get_stack(), os.environ.get(POSITION)
    is_local = given.get("local") == "true"
    try:
        settings = read_settings(None)
        known = None if position or is_local else recalled(settings, name)
        stack = known or _provided(settings, name, position, is_local, given)
    except DeclarationErrors as errors:
        raise pulumi.RunError("\n".join(map(str, errors.exceptions))) from None
    except KeywrightError as error:
        raise pulumi.RunError(str(error)) from None
    if stack.is_assumed and not pulumi.runtime.is_dry_run():
        problem = f'where "{name}" is, is only assumed by "position" in its stack file, which is for previews'
        raise pulumi.RunError(f"{problem}\n  help: take it out, and say by KEYWRIGHT_STORE_… where the stores are")
    return stack


def _refuse_open(given: Mapping[str, str]) -> None:
    """No address with a password stands in clear."""
    addresses = [key for key in given if key.endswith("Uri") and not is_config_secret(f"keywright:{key}")]
    if not addresses:
        return
    from keywright.api.addresses import has_password

    for key in addresses:
        if has_password(given[key]):
            how = f"pulumi config set --secret keywright:{key}"
            raise pulumi.RunError(f'"keywright:{key}" holds a password in clear\n  help: `{how}`')


def _provided(
    settings: Settings, name: str, position: str | None, is_local: bool, given: Mapping[str, str]
) -> Provided:
    """The same, from the models and the position."""
    from keywright.api.provide import provided  # the compiler and Pydantic: not needed where it is recalled
    from keywright.api.sites import Where
    from keywright.api.stack import stack_of

    begun = time.time_ns()
    stack = stack_of(Where(settings, name, is_local, given), position)
    made = provided(stack)
    if stack.is_followed and not is_local:
        keep(settings, stack, made, begun)
    return made
