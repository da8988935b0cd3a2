"""Policy documents of what was granted.

Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/specifying-conditions.html, 2026-11-22.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from keywright.ir.json import Json

VERSION = "2012-10-17"
"""The version of the policy language."""


NOTHING: Json = {"Effect": "Deny", "Action": ["dynamodb:*"], "Resource": ["*"]}
"""What a document says that grants nothing."""


@dataclass(frozen=True, slots=True)
class Grant:
    """One action on one table or index."""

    table: str
    """Physical name of the table."""
    index: str | None
    """The index that is asked; None for the table itself."""
    action: str
    """Such as `dynamodb:Query`."""
    leading: str | None = None
    """What partition keys look like, with `*` for the rest; None for any."""


def policy(granted: Iterable[Grant], arns: Mapping[str, str]) -> Json:
    """A policy document; one statement for all that is granted on one resource under one condition.

    arns: ARN of each table by its physical name. A table that is still to come is not granted; where nothing is, all is
    denied, for IAM takes no document that says nothing.
    """
    statements: dict[tuple[str, str | None], list[str]] = {}
    for one in granted:
        if one.table not in arns:
            continue
        resource = arns[one.table] + (f"/index/{one.index}" if one.index else "")
        actions = statements.setdefault((resource, one.leading), [])
        if one.action not in actions:
            actions.append(one.action)
    told = [_statement(resource, leading, sorted(of)) for (resource, leading), of in statements.items()]
    return {"Version": VERSION, "Statement": told or [NOTHING]}


def _statement(resource: str, leading: str | None, actions: list[str]) -> Json:
    made: dict[str, Json] = {"Effect": "Allow", "Action": list(actions), "Resource": [resource]}
    if leading is not None:
        made["Condition"] = {"ForAllValues:StringLike": {"dynamodb:LeadingKeys": [leading]}}
    return made
