"""Tables as resources of the AWS provider, for the registry."""

from collections.abc import Mapping
from typing import Any

from keywright.engines.contract.stack_tables import StackTables

from .access.iam import grants
from .schema.companion_resources import companion_resources
from .schema.resources import TABLE, from_resource, options, to_resource


def _indexes(inputs: Mapping[str, Any]) -> Mapping[str, object]:
    return {index.name: index for index in from_resource(inputs).indexes}


STACK = StackTables(
    engine="dynamodb",
    type=TABLE,
    component=("keywright:dynamodb:Tables", "dynamodb"),
    inputs=to_resource,
    options=options,
    companions=companion_resources,
    has_stream=lambda table: bool(table.stream),
    indexes=_indexes,
    grants=grants,
)
"""The tables of a stack."""
