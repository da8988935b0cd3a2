"""What a caller of some patterns may do, and nothing else: policy statements, derived from what the patterns send.

No pattern scans, so none may. Where the partition key of all that a pattern touches begins with a text, only such keys
are allowed; on indexes no such condition is made.
Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/specifying-conditions.html, 2026-11-22.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from keywright.access.search import Planned

from .access.query import query
from .policy import Grant
from .target import TableTarget


def grants(planned: Planned[TableTarget]) -> tuple[Grant, ...]:
    """What a caller of a served pattern needs, in the order in which it is sent."""
    if planned.parts:
        return tuple(dict.fromkeys(grant for part in planned.parts for grant in grants(part)))
    return tuple(dict.fromkeys(_grants(planned, query(planned))))


def _grants(planned: Planned[TableTarget], sent: Any) -> Iterator[Grant]:
    """What is needed for a request, or for several."""
    if isinstance(sent, list):
        for one in sent:
            yield from _grants(planned, one)
        return
    operation = str(sent["operation"])
    match operation:
        case "Query":
            index = sent.get("IndexName")
            yield Grant(sent["TableName"], index, "dynamodb:Query", None if index else _of_query(planned, sent))
        case "BatchGetItem" | "BatchWriteItem":
            for table in sent["RequestItems"]:
                yield Grant(table, None, f"dynamodb:{operation}")
        case "TransactWriteItems":
            for item in sent["TransactItems"]:
                for word, one in item.items():
                    yield Grant(one["TableName"], None, f"dynamodb:{word}Item", _of_item(planned, one))
        case _:
            yield Grant(sent["TableName"], None, f"dynamodb:{operation}", _of_item(planned, sent))


def _of_query(planned: Planned[TableTarget], sent: Any) -> str | None:
    """What partition keys look like that a query of a table asks."""
    attribute = planned.target.keys[0].attribute
    names: Mapping[str, str] = sent.get("ExpressionAttributeNames", {})
    for name, value in re.findall(r"(#?\w+) = (:\w+)", sent["KeyConditionExpression"]):
        if names.get(name, name) == attribute:
            return _shape(sent["ExpressionAttributeValues"][value])
    return None


def _of_item(planned: Planned[TableTarget], sent: Any) -> str | None:
    """What the partition key of an item looks like that is named by its key, or made whole."""
    attribute = planned.target.keys[0].attribute
    if attribute in sent.get("Key", {}):
        return _shape(sent["Key"][attribute])
    template = planned.binding.templates.get("pk")
    return None if template is None else _shape({"S": template.text})


def _shape(value: Any) -> str | None:
    """A text up to its first placeholder, with `*` behind; None where it begins with one, or is no text."""
    text = value.get("S") if isinstance(value, dict) else None
    if not isinstance(text, str) or text.startswith(("{", ":")):
        return None
    known, brace, _ = text.partition("{")
    known = re.sub(r"[*?]", lambda sign: f"${{{sign[0]}}}", known)  # what else would stand for anything
    return f"{known}*" if brace else known
