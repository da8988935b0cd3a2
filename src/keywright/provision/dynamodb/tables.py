"""The component of the tables in a stack: `keywright.pulumi.Tables`."""

import json
from collections.abc import Mapping, Sequence

import pulumi

from keywright.api.pulumi.plain import Provided
from keywright.engines.dynamodb.schema.policy import policy
from keywright.errors import did_you_mean

from ..stack import stack_of
from . import streams
from .names import OWN, names
from .table import companions, table

STORE = OWN
"""The store of all tables, and their name in `provision`."""


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
        """The tables of the project whose pyproject.toml is in the nearest parent folder.

        name: name of the component, and prefix of its resources' names, so that a stack can have the tables of several
        environments or regions; with `dynamodb`, resources have the names of the models. stack: the result of
        `provision`, by default computed here. environment: by default the one with the stack's name. topic: ARN of the
        topic for alarms, by default the one of the stack file. opts: as for any component; a provider applies to all of
        its resources. Errors in the models or the stack file end the program with a message.
        """
        super().__init__("keywright:dynamodb:Tables", name, None, opts)
        stack = stack or stack_of(environment)
        self._stack = stack
        self._resource_names = names(name)
        tables = {
            key: table(key, provided_table, self, self._resource_names) for key, provided_table in stack.tables.items()
        }
        for key, resource in tables.items():
            companions(key, stack.tables[key], resource, self, self._resource_names, topic)
        self.names = {key: resource.name for key, resource in tables.items()}
        self.arns = {key: resource.arn for key, resource in tables.items()}
        self.stream_arns = {
            key: resource.stream_arn for key, resource in tables.items() if stack.tables[key].has_stream
        }
        self.index_names = {key: provided_table.indexes for key, provided_table in stack.tables.items()}
        self.register_outputs({
            "names": self.names, "arns": self.arns, "streamArns": self.stream_arns, "indexNames": self.index_names,
        })  # fmt: skip

    def consume(
        self, table: str, consumer: str, function: pulumi.Input[str], *, queue: pulumi.Input[str] | None = None,
        batch_size: int = streams.BATCH, retries: int = streams.RETRIES,
    ) -> None:  # fmt: skip
        """Send the changes of a table to a declared consumer: a function of Lambda that you provide.

        table: a key of `names`. function: its name or ARN. queue: ARN of the queue or topic for changes that it
        cannot process, for a consumer with on_failure="queue". retries: attempts before a change is sent there or
        dropped. An undeclared consumer ends the program; a stream that is still pending is logged as a warning.
        """
        from keywright.compiler import load  # slow to import, and not needed by a program that only creates tables

        name = self._stack.tables[table].declared if table in self._stack.tables else table
        declared = streams.declared(load().design, name, consumer)
        if table not in self.stream_arns:
            pulumi.log.warn(f'the stream of table "{table}" is not migrated yet, so "{consumer}" is not connected')
            return
        plain = f"{table}/{consumer}"
        options = pulumi.ResourceOptions(parent=self, aliases=self._resource_names.former(plain))
        streams.mapping(
            self._resource_names(plain), declared,
            {"stream": self.stream_arns[table], "function": function, "queue": queue},
            batch_size=batch_size, retries=retries, tags=self._stack.tags, options=options,
        )  # fmt: skip

    def policy(self, *patterns: str) -> pulumi.Output[str]:
        """The IAM policy document, as JSON, that allows calling these patterns and nothing else.

        patterns: their names, such as `orders_of_user`. An unknown name ends the program.
        """
        grants = self._stack.grants
        if unknown := [name for name in patterns if name not in grants]:
            help = did_you_mean(unknown[0], list(grants))
            raise pulumi.RunError(f'no pattern on DynamoDB is called "{unknown[0]}"\n  help: {help}')
        granted = [grant for name in patterns for grant in grants[name]]
        arns = pulumi.Output.all(*(pulumi.Output.all(self.names[key], self.arns[key]) for key in self.names))
        return arns.apply(lambda pairs: json.dumps(policy(granted, dict(pairs))))
