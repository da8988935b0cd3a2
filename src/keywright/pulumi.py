"""What a Pulumi program imports.

```python
import keywright.pulumi

keywright.pulumi.provision()
```
"""

import json
import os
from collections.abc import Mapping, Sequence
from typing import Any

import pulumi
from pulumi.runtime.config import get_config_env

from keywright.api.position import POSITION
from keywright.api.stack import Stack, resources_of, stack_of
from keywright.compiler import plan_access
from keywright.engines.dynamodb import iam
from keywright.errors import DeclarationErrors, KeywrightError, did_you_mean
from keywright.project.settings import read_settings
from keywright.provision import custom, dynamodb, streams
from keywright.provision.naming import logical

__all__ = ["Tables", "provision"]


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
        self, name: str, stack: Stack | None = None, *, environment: str | None = None,
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:  # fmt: skip
        """The tables of the project whose pyproject.toml is next above.

        stack: what `provision` has found; else it is found here. environment: the one that is meant, by default that of
        the stack's name. Whatever is wrong with the models or the stack file ends the program with a message.
        """
        super().__init__("keywright:dynamodb:Tables", name, None, opts)
        stack = stack or _stack(environment)
        self._compiled = stack.compiled
        mine = {
            logical(one.declared.name, one.declared.generation): one
            for one in stack.targets
            if one.engine.name == "dynamodb"
        }
        placed: dict[str, Any] = {key: one.placed for key, one in mine.items()}
        self._declared = {key: one.declared.name for key, one in mine.items()}
        self._tags = getattr(stack.environment.of("dynamodb"), "tags", {})
        options = pulumi.ResourceOptions(parent=self)
        tables = {
            key: dynamodb.table(key, one, stack.orders.get(one.declared.name, ()), options) for key, one in mine.items()
        }
        for key, table in tables.items():
            dynamodb.beside(key, mine[key], table, options)
        self.names = {key: table.name for key, table in tables.items()}
        self.arns = {key: table.arn for key, table in tables.items()}
        self.stream_arns = {key: table.stream_arn for key, table in tables.items() if placed[key].stream}
        self.index_names = {key: [index.name for index in one.indexes] for key, one in placed.items()}
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
        name = self._declared.get(table, table)
        found = streams.declared(self._compiled.project.design, name, consumer)
        if table not in self.stream_arns:
            pulumi.log.warn(f'the stream of table "{table}" is still to come here, and "{consumer}" with it')
            return
        streams.mapping(
            f"{table}/{consumer}", found, {"stream": self.stream_arns[table], "function": function, "queue": queue},
            batch_size=batch_size, retries=retries, tags=self._tags, options=pulumi.ResourceOptions(parent=self),
        )  # fmt: skip

    def policy(self, *patterns: str) -> pulumi.Output[str]:
        """The IAM policy document, as JSON, of who calls these patterns and nothing else.

        patterns: their names, such as `orders_of_user`. A name that no pattern on DynamoDB has ends the program.
        """
        rows = (row for row in plan_access(self._compiled).rows if row.placed.engine.name == "dynamodb")
        known = {row.pattern.name: row.planned for row in rows if row.planned.is_served}
        if unknown := [name for name in patterns if name not in known]:
            help = did_you_mean(unknown[0], list(known))
            raise pulumi.RunError(f'no pattern on DynamoDB is called "{unknown[0]}"\n  help: {help}')
        granted = [grant for name in patterns for grant in iam.grants(known[name])]
        arns = pulumi.Output.all(**{key: pulumi.Output.all(self.names[key], self.arns[key]) for key in self.names})
        return arns.apply(lambda found: json.dumps(iam.policy(granted, dict(found.values()))))


def provision(environment: str | None = None) -> Tables:
    """Everything that the stack's environment has, as resources; what they are called is exported.

    environment: the one that is meant, by default that of the stack's name.
    """
    stack = _stack(environment)
    if POSITION not in os.environ:
        _tell_pending(stack)
    tables = Tables("dynamodb", stack)
    pulumi.export("tables", tables.names)
    pulumi.export("table_arns", tables.arns)
    _others(stack)
    return tables


def _tell_pending(stack: Stack) -> None:
    """What is still to come, which is not for a bare `pulumi up`, and how it comes."""
    command = f"keywright --env {stack.environment.name} migrate"
    for folder in stack.pending:
        pulumi.log.warn(f"{folder} is still to come here")
    if stack.pending:
        how = f"`{command} plan` shows it with a hash, and `{command} apply --approved HASH` lands it"
        pulumi.log.warn(f"a bare `pulumi up` changes no schema: {how}")


def _others(stack: Stack) -> None:
    """Resources of keywright's own provider."""
    own = None if stack.environment.name == pulumi.get_stack() else stack.environment.name
    for target in stack.targets:
        part = stack.environment.of(target.engine.name)
        made: dict[str, pulumi.Resource] = {}
        for one in resources_of(target) if target.engine.name != "dynamodb" else ():
            made[one.name] = custom.resource(one, own, made, is_protected=getattr(part, "protect", False))


def _stack(environment: str | None) -> Stack:
    given = {key.removeprefix("keywright:"): value for key, value in get_config_env().items()}
    name, position = environment or pulumi.get_stack(), os.environ.get(POSITION)
    try:
        is_local = given.get("local") == "true"
        stack = stack_of(read_settings(None), name, position, is_local=is_local, addresses=given)
    except DeclarationErrors as errors:
        raise pulumi.RunError("\n".join(map(str, errors.exceptions))) from None
    except KeywrightError as error:
        raise pulumi.RunError(str(error)) from None
    if stack.is_assumed and not pulumi.runtime.is_dry_run():
        problem = f'where "{name}" is, is only assumed by "position" in its stack file, which is for previews'
        raise pulumi.RunError(f"{problem}\n  help: take it out, and say by KEYWRIGHT_STORE_… where the stores are")
    return stack
