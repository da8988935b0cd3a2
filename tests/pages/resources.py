"""Cases that are resources of a Pulumi program: what stands in them, and what is said of them."""

from collections.abc import Iterator, Mapping
from typing import Any

import yaml

from keywright.engines.findings.context import FindingDraft
from keywright.engines.findings.program.resource import ProgramResource, Unknown
from keywright.rules.infra.catalogue import of_programs
from keywright.rules.infra.run import on_stack
from keywright.rules.rule import Rule

KEY = "arn:aws:kms:eu-west-1:111122223333:key/shop"

SOUND: dict[str, dict[str, Any]] = {
    "aws:dynamodb/table:Table": {
        "hashKey": "pk", "attributes": [{"name": "pk", "type": "S"}], "billingMode": "PAY_PER_REQUEST",
        "pointInTimeRecovery": {"enabled": True}, "serverSideEncryption": {"enabled": True, "kmsKeyArn": KEY},
        "deletionProtectionEnabled": True,
    },
    "aws:dynamodb/tableReplica:TableReplica": {
        "kmsKeyArn": KEY, "pointInTimeRecovery": True, "deletionProtectionEnabled": True,
    },
    "aws:dax/cluster:Cluster": {
        "serverSideEncryption": {"enabled": True}, "clusterEndpointEncryptionType": "TLS", "replicationFactor": 3,
    },
    "aws:elasticache/replicationGroup:ReplicationGroup": {
        "engine": "valkey", "engineVersion": "8.0", "atRestEncryptionEnabled": True, "transitEncryptionEnabled": True,
        "kmsKeyId": KEY, "snapshotRetentionLimit": 7, "subnetGroupName": "private", "userGroupIds": ["shop"],
        "automaticFailoverEnabled": True, "multiAzEnabled": True, "numCacheClusters": 2,
    },
    "aws:memorydb/cluster:Cluster": {
        "kmsKeyArn": KEY, "aclName": "shop", "numReplicasPerShard": 1, "snapshotRetentionLimit": 7,
    },
    "aws:docdb/cluster:Cluster": {
        "storageEncrypted": True, "kmsKeyId": KEY, "backupRetentionPeriod": 7, "deletionProtection": True,
        "enabledCloudwatchLogsExports": ["audit"], "manageMasterUserPassword": True, "skipFinalSnapshot": False,
    },
    "aws:keyspaces/table:Table": {
        "encryptionSpecification": {"type": "CUSTOMER_MANAGED_KMS_KEY", "kmsKeyIdentifier": KEY},
        "pointInTimeRecovery": {"status": "ENABLED"},
    },
    "mongodbatlas:index/advancedCluster:AdvancedCluster": {
        "backupEnabled": True, "pitEnabled": True, "retainBackupsEnabled": True, "terminationProtectionEnabled": True,
        "encryptionAtRestProvider": "AWS",
        "advancedConfiguration": {"minimumEnabledTlsProtocol": "TLS1_2"},
    },
    "aws:docdb/globalCluster:GlobalCluster": {"storageEncrypted": True, "deletionProtection": True},
    "aws:docdb/elasticCluster:ElasticCluster": {"kmsKeyId": KEY, "backupRetentionPeriod": 7},
    "mongodbatlas:index/organization:Organization": {"multiFactorAuthRequired": True, "apiAccessListRequired": True},
}  # fmt: skip
"""Inputs that raise nothing, by type: a case tells only how its own are."""

COMPANY = tuple(f"{store}-missing" for store in (
    "dynamodb-alarms", "cassandra-alerts", "mongodb-alerts", "redis-alerts",
))  # fmt: skip
"""Rules that ask for other resources beside each: a case leaves those out, unless it is theirs."""


class _Loader(yaml.SafeLoader):
    """Reads `!unknown` as a value that is computed only when the stack is up."""


_Loader.add_constructor("!unknown", lambda loader, node: Unknown(loader.construct_scalar(node) or "it"))


def resources(text: str) -> list[ProgramResource]:
    """The resources of a block; those that hold data are protected where the case does not say otherwise."""
    output: Any = yaml.load(text, _Loader)  # a safe loader, with one word more
    urns = {row["name"]: _urn(row) for row in output}
    return [_resource(entry, urns) for entry in output]


def flaws(text: str, code: str = "") -> list[tuple[str, str, str]]:
    """(code, problem, help) of everything that the rules find in a block.

    code: that of the page, whose rule is asked whatever else it asks for.
    """
    all = resources(text)
    rules = [of_program for of_program in of_programs() if of_program.code == code or of_program.name not in COMPANY]
    return [(rule.code, flaw.problem, flaw.help) for rule in rules for flaw in _drafts(rule, all)]


def _drafts(rule: Rule, all: list[ProgramResource]) -> Iterator[FindingDraft]:
    """The findings of a rule; fails with the message of a crash, which has the code of the rule as its subject."""
    for draft in on_stack(rule, all, {}, {}):
        assert draft.subject != rule.code, draft.problem
        yield draft


def _urn(row: Mapping[str, Any]) -> str:
    return f"urn:pulumi:prod::shop::{row['type']}::{row['name']}"


def _resource(one: Mapping[str, Any], urns: Mapping[str, str]) -> ProgramResource:
    options = one.get("options", {})
    inputs = {**SOUND.get(one["type"], {}), **one.get("inputs", {})}
    return ProgramResource(
        type=one["type"],
        urn=_urn(one),
        inputs={key: value for key, value in inputs.items() if value is not None},
        is_protected=options.get("protect", True),
        ignores=tuple(options.get("ignoreChanges", ())),
        update_seconds=options.get("updateSeconds", 14400),
        parent=options.get("parent", ""),
        needs={argument: [urns[name]] for argument, name in options.get("needs", {}).items()},
    )
