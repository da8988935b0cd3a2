"""IAM policy documents of grants.

Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/specifying-conditions.html, 2026-11-22.
"""

from collections.abc import Iterable, Mapping

from keywright.engines.contract.stack_tables import Grant
from keywright.ir.json import Json

VERSION = "2012-10-17"
"""The version of the policy language."""

SCAN = "dynamodb:Scan"
"""The action of a scan."""

DECLARED_SCAN = "DeclaredScan"
"""Beginning of the name of a statement that only allows the scans of patterns with `scan=True`."""

NOTHING: Json = {
    "Effect": "Allow",
    "Action": ["dynamodb:GetItem"],
    "Resource": ["*"],
    "Condition": {"DateLessThan": {"aws:CurrentTime": "1970-01-01T00:00:00Z"}},
}
"""Statement of a document without grants: IAM accepts no empty list, and a denial would revoke others' grants."""


def policy(granted: Iterable[Grant], arns: Mapping[str, str]) -> Json:
    """Policy document with one statement for all actions on one resource under one condition.

    arns: ARN of each table by its physical name. Grants on a table without an ARN are left out; without any grant, the
    document allows nothing, and denies nothing.
    """
    actions_by_resource: dict[tuple[str, str | None, bool], list[str]] = {}
    for grant in granted:
        if grant.table not in arns:
            continue
        resource = arns[grant.table] + (f"/index/{grant.index}" if grant.index else "")
        key = (resource, grant.leading, grant.action == SCAN)
        actions = actions_by_resource.setdefault(key, [])
        if grant.action not in actions:
            actions.append(grant.action)
    documents = [
        _statement(resource, leading, sorted(names)) for (resource, leading, _), names in actions_by_resource.items()
    ]
    scans = (statement for statement in documents if statement["Action"] == [SCAN])
    for position, statement in enumerate(scans):
        statement["Sid"] = f"{DECLARED_SCAN}{position or ''}"
    return {"Version": VERSION, "Statement": [*documents] or [NOTHING]}


def _statement(resource: str, leading: str | None, actions: list[str]) -> dict[str, Json]:
    statement: dict[str, Json] = {"Effect": "Allow", "Action": list(actions), "Resource": [resource]}
    if leading is not None:
        statement["Condition"] = {"ForAllValues:StringLike": {"dynamodb:LeadingKeys": [leading]}}
    return statement
