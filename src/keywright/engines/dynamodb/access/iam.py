"""Least-privilege policy statements for the callers of access patterns, derived from the requests that they send.

Only the statements of patterns that ask for a scan allow Scan. If the partition keys of all items of a pattern begin
with a constant text, only such keys are allowed. Statements for indexes and scans have no such condition.
Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/specifying-conditions.html, 2026-11-22.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from keywright.access.search import Planned
from keywright.engines.contract.stack_tables import Grant

from ..schema.target import TableTarget
from .calls import QueryTogether
from .query import query


def grants(planned: Planned[TableTarget]) -> tuple[Grant, ...]:
    """Permissions that a caller of a served pattern needs, in the order of its requests."""
    if planned.parts and not isinstance(planned.access_path.call, QueryTogether):
        return tuple(dict.fromkeys(grant for part in planned.parts for grant in grants(part)))
    return tuple(dict.fromkeys(_grants(planned, query(planned))))


def _grants(planned: Planned[TableTarget], request: Any) -> Iterator[Grant]:
    """Permissions for a request, or for a list of requests."""
    if isinstance(request, list):
        for part in request:
            yield from _grants(planned, part)
        return
    operation = str(request["operation"])
    match operation:
        case "Query":
            index = request.get("IndexName")
            yield Grant(request["TableName"], index, "dynamodb:Query", None if index else _query_keys(planned, request))
        case "Scan":
            yield Grant(request["TableName"], request.get("IndexName"), "dynamodb:Scan")
        case "BatchGetItem" | "BatchWriteItem":
            for table in request["RequestItems"]:
                yield Grant(table, None, f"dynamodb:{operation}")
        case "TransactWriteItems":
            for item in request["TransactItems"]:
                for action, write in item.items():
                    yield Grant(write["TableName"], None, f"dynamodb:{action}Item", _item_keys(planned, write))
        case _:
            yield Grant(request["TableName"], None, f"dynamodb:{operation}", _item_keys(planned, request))


def _query_keys(planned: Planned[TableTarget], request: Any) -> str | None:
    """Pattern of the partition keys in a query of a table."""
    attribute = planned.target.keys[0].attribute
    names: Mapping[str, str] = request.get("ExpressionAttributeNames", {})
    for name, value in re.findall(r"(#?\w+) = (:\w+)", request["KeyConditionExpression"]):
        if names.get(name, name) == attribute:
            return _key_pattern(request["ExpressionAttributeValues"][value])
    return None


def _item_keys(planned: Planned[TableTarget], request: Any) -> str | None:
    """Pattern of the partition key of an item that is written whole or named by its key."""
    attribute = planned.target.keys[0].attribute
    if attribute in request.get("Key", {}):
        return _key_pattern(request["Key"][attribute])
    template = planned.binding.templates.get("pk")
    return None if template is None else _key_pattern({"S": template.text})


def _key_pattern(value: Any) -> str | None:
    """Text up to its first placeholder, followed by `*`; None if it begins with a placeholder or is no text."""
    text = value.get("S") if isinstance(value, dict) else None
    if not isinstance(text, str) or text.startswith(("{", ":")):
        return None
    pattern, brace, _ = text.partition("{")
    pattern = re.sub(r"[*?]", lambda sign: f"${{{sign[0]}}}", pattern)  # IAM would read these signs as wildcards
    return f"{pattern}*" if brace else pattern
