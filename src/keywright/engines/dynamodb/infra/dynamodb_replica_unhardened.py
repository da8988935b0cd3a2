"""INF109: a replica of a DynamoDB table lacks a protection that its table has."""

from collections.abc import Iterator
from typing import Any

from keywright.engines.findings.context import FindingDraft
from keywright.engines.findings.program.resource import ProgramResource, Unknown

TABLE, REPLICA = "aws:dynamodb/table:Table", "aws:dynamodb/tableReplica:TableReplica"

_PROTECTIONS = (
    (
        "pointInTimeRecovery",
        "pointInTimeRecovery.enabled",
        "it cannot be restored to a point in time of the last weeks",
    ),
    ("kmsKeyArn", "serverSideEncryption.kmsKeyArn", "you can neither revoke nor audit its encryption key"),
    ("deletionProtectionEnabled", "deletionProtectionEnabled", "anybody who may delete tables can delete it"),
)
"""(argument of the replica, that of the table, consequence). None of them is inherited from the table.
Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/V2globaltables_HowItWorks.html, 2026-11-23."""


def resource(program_resource: ProgramResource) -> Iterator[FindingDraft]:
    """Report every replica of a table that has less than the table, and every separate replica without them."""
    if program_resource.type == REPLICA:
        missing = [row for row in _PROTECTIONS if not _is_set(program_resource.inputs, row[0])]
        for argument, _, consequence in missing:
            yield _draft(f"{argument} is not set", argument, consequence, program_resource)
    elif program_resource.type == TABLE:
        for replica in program_resource.value("replicas") or ():
            for argument, path, consequence in _PROTECTIONS:
                if not _is_set(replica, argument) and program_resource.value(path):
                    cause = f"the replica in {replica['regionName']} has no {argument}, unlike the table"
                    yield _draft(cause, argument, consequence, program_resource)


def _is_set(inputs: Any, argument: str) -> bool:
    """Whether an input is set and not False; an unknown value is."""
    value = inputs.get(argument)
    return isinstance(value, Unknown) or bool(value)


def _draft(cause: str, argument: str, consequence: str, resource: ProgramResource) -> FindingDraft:
    word = {"pointInTimeRecovery": "point_in_time_recovery=True", "kmsKeyArn": "kms_key_arn= to a key of its region"}
    help = f"set {word.get(argument, 'deletion_protection_enabled=True')} for the replica"
    return FindingDraft(problem=f"{cause}: {consequence}", help=help, subject=resource.urn)
