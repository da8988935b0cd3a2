"""Hardening: arguments that a resource had better have, as rows of one table.

Names of arguments: https://www.pulumi.com/registry/packages/aws/api-docs/ and .../packages/mongodbatlas/api-docs/,
2026-11-22.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from keywright.engines.flaws.context import Flaw
from keywright.engines.flaws.resource import Resource
from keywright.rules.rule import Level, Rule, Severity


@dataclass(frozen=True, slots=True)
class Want:
    """One argument, and what it is to be."""

    argument: str
    """Its path, such as `pointInTimeRecovery.enabled`."""
    is_met: Callable[[Any], bool]
    """Whether a value will do; None stands for one that is not said."""
    problem: str
    """What comes of it otherwise; a number of days is told behind it."""
    help: str
    """What to do."""
    remedy: Any = None
    """The value that a remediation sets; None where there is none that suits everybody."""


@dataclass(frozen=True, slots=True)
class Row:
    """One rule: on which resources, and what it wants of them."""

    code: str
    """Its code."""
    type: str
    """The type of the resources."""
    wants: tuple[Want, ...]
    """What it wants, in the order in which it says so."""
    peers: str
    """What other tools call it."""
    severity: Severity = "warning"
    """How bad it is."""
    in_dev: Severity = "info"
    """How bad it is in development."""
    takes_days: bool = False
    """Whether what it wants is a number of days, which is its parameter."""


def _is_on(value: Any) -> bool:
    return value is not None and str(value).lower() == "true"


def _is_not_off(value: Any) -> bool:
    return value is None or _is_on(value)


def _is_said(value: Any) -> bool:
    return bool(value)


def _on(argument: str, problem: str, help: str, remedy: Any = None) -> Want:
    return Want(argument, _is_on, problem, help, remedy)


def _not_off(argument: str, problem: str, help: str) -> Want:
    return Want(argument, _is_not_off, problem, help)


def _said(argument: str, problem: str, help: str) -> Want:
    return Want(argument, _is_said, problem, help)


TABLE = "aws:dynamodb/table:Table"
_DAX = "aws:dax/cluster:Cluster"
_ELASTICACHE = "aws:elasticache/replicationGroup:ReplicationGroup"
_MEMORYDB = "aws:memorydb/cluster:Cluster"
_DOCDB = "aws:docdb/cluster:Cluster"
_ATLAS = "mongodbatlas:index/advancedCluster:AdvancedCluster"

DYNAMODB = (
    Row(
        "INF101", TABLE,
        (_on(
            "pointInTimeRecovery.enabled", "the table cannot be restored to a moment of the last weeks",
            "say point_in_time_recovery={\"enabled\": True}; in a stack file, point-in-time-recovery: true",
            remedy=True,
        ),),
        "checkov CKV_AWS_28, 165; trivy AWS-0024; prowler dynamodb_tables_pitr_enabled; Security Hub DynamoDB.2",
        severity="error",
    ),
    Row(
        "INF102", TABLE,
        (_said(
            "serverSideEncryption.kmsKeyArn", "the table is encrypted by a key that is not yours to revoke or to audit",
            "say server_side_encryption={\"enabled\": True, \"kms_key_arn\": key.arn}",
        ),),
        "checkov CKV_AWS_119, CKV_AWS_271; trivy AWS-0025; AWSGuard",
    ),
    Row(
        "INF103", TABLE,
        (_on(
            "deletionProtectionEnabled", "anybody who may delete tables can delete it, with all that is in it",
            "say deletion_protection_enabled=True; in a stack file, protect: true", remedy=True,
        ),),
        "Security Hub DynamoDB.6; prowler dynamodb_table_deletion_protection_enabled",
        severity="error",
    ),
    Row(
        "INF106", _DAX,
        (_on(
            "serverSideEncryption.enabled", "what the cache holds is written to its disks unencrypted",
            "say server_side_encryption={\"enabled\": True}, which makes another cluster",
        ),),
        "checkov CKV_AWS_47; trivy AWS-0023; Security Hub DynamoDB.3",
    ),
    Row(
        "INF107", _DAX,
        (Want(
            "clusterEndpointEncryptionType", lambda value: value == "TLS", "items cross the network unencrypted",
            "say cluster_endpoint_encryption_type=\"TLS\", which makes another cluster",
        ),),
        "checkov CKV_AWS_239; Security Hub DynamoDB.7",
    ),
    Row(
        "INF108", _DAX,
        (
            Want(
                "replicationFactor", lambda value: value is not None and value >= 2, "one node holds the whole cache",
                "say replication_factor=3, in three zones",
            ),
            Want(
                "availabilityZones", lambda value: value is None or len(set(value)) > 1,
                "all nodes stand in one zone", "name two zones or more, or none",
            ),
        ),
        "prowler dynamodb_accelerator_cluster_multi_az",
    ),
)  # fmt: skip
"""DynamoDB and DAX."""

ELASTICACHE = (
    Row(
        "INF201", _ELASTICACHE,
        (_on(
            "atRestEncryptionEnabled", "snapshots and swapped memory are written to disk unencrypted",
            "say at_rest_encryption_enabled=True, which makes another group",
        ),),
        "checkov CKV_AWS_29; trivy AWS-0045; Security Hub ElastiCache.4; cfn-lint E3704",
        severity="error", in_dev="warning",
    ),
    Row(
        "INF202", _ELASTICACHE,
        (_on(
            "transitEncryptionEnabled", "commands, passwords and values cross the network unencrypted",
            "say transit_encryption_enabled=True",
        ),),
        "checkov CKV_AWS_30; trivy AWS-0051; Security Hub ElastiCache.5",
        severity="error", in_dev="warning",
    ),
    Row(
        "INF204", _ELASTICACHE,
        (_said("kmsKeyId", "it is encrypted by a key that is not yours to revoke or to audit", "say kms_key_id="),),
        "checkov CKV_AWS_191", severity="error", in_dev="warning",
    ),
    Row(
        "INF205", _ELASTICACHE,
        (Want(
            "snapshotRetentionLimit", _is_said, "snapshots are kept",
            "say snapshot_retention_limit=",
        ),),
        "trivy AWS-0050; Security Hub ElastiCache.1", takes_days=True,
    ),
    Row(
        "INF206", _ELASTICACHE,
        (_not_off(
            "autoMinorVersionUpgrade", "patches of security come only when somebody thinks of them",
            "leave auto_minor_version_upgrade out, or say True",
        ),),
        "Security Hub ElastiCache.2",
    ),
    Row(
        "INF207", _ELASTICACHE,
        (Want(
            "subnetGroupName", lambda value: bool(value) and value != "default",
            "it stands in the default subnet group, whose subnets are usually public",
            "say subnet_group_name= with a group of private subnets",
        ),),
        "checkov CKV_AWS_196, CKV_AWS_323; trivy AWS-0049; Security Hub ElastiCache.7",
    ),
    Row(
        "INF209", _MEMORYDB,
        (
            _not_off(
                "tlsEnabled", "commands, passwords and values cross the network unencrypted", "leave tls_enabled out"
            ),
            _said("kmsKeyArn", "it is encrypted by a key that is not yours to revoke or to audit", "say kms_key_arn="),
            _not_off(
                "autoMinorVersionUpgrade", "patches of security come only when somebody thinks of them",
                "leave auto_minor_version_upgrade out",
            ),
        ),
        "checkov CKV_AWS_201, CKV_AWS_202, CKV_AWS_278", severity="error", in_dev="warning",
    ),
)  # fmt: skip
"""ElastiCache and MemoryDB."""

DOCUMENTS = (
    Row(
        "INF301", _DOCDB,
        (_on(
            "storageEncrypted", "documents and backups are written to disk unencrypted",
            "say storage_encrypted=True, which makes another cluster",
        ),),
        "checkov CKV_AWS_74; trivy AWS-0021; Security Hub DocumentDB.1", severity="error", in_dev="warning",
    ),
    Row(
        "INF302", _DOCDB,
        (Want(
            "backupRetentionPeriod", _is_said, "backups are kept",
            "say backup_retention_period=",
        ),),
        "checkov CKV_AWS_360; Security Hub DocumentDB.2", severity="error", in_dev="warning", takes_days=True,
    ),
    Row(
        "INF303", "aws:rds/clusterSnapshotCopy:ClusterSnapshotCopy",
        (Want(
            "sharedAccounts", lambda value: not value or "all" not in value, "any account may copy the snapshot",
            "name the accounts in shared_accounts=, without \"all\"",
        ),),
        "Security Hub DocumentDB.3; prowler documentdb_cluster_public_snapshot", severity="error", in_dev="warning",
    ),
    Row(
        "INF304", _DOCDB,
        (Want(
            "enabledCloudwatchLogsExports", lambda value: value is not None and "audit" in value,
            "nobody can tell afterwards who has logged in or changed what",
            "say enabled_cloudwatch_logs_exports=[\"audit\"], and audit_logs in the parameter group",
        ),),
        "checkov CKV_AWS_85, CKV_AWS_104; trivy AWS-0020; Security Hub DocumentDB.4",
        severity="error", in_dev="warning",
    ),
    Row(
        "INF305", _DOCDB,
        (_on(
            "deletionProtection", "anybody who may delete clusters can delete it", "say deletion_protection=True",
            remedy=True,
        ),),
        "Security Hub DocumentDB.5",
    ),
    Row(
        "INF307", _DOCDB,
        (_said("kmsKeyId", "it is encrypted by a key that is not yours to revoke or to audit", "say kms_key_id="),),
        "checkov CKV_AWS_182, CKV_AWS_292; trivy AWS-0022",
    ),
    Row(
        "INF401", "aws:keyspaces/table:Table",
        (_said(
            "encryptionSpecification.kmsKeyIdentifier",
            "the table is encrypted by a key that is not yours to revoke or to audit",
            "say encryption_specification={\"type\": \"CUSTOMER_MANAGED_KMS_KEY\", \"kms_key_identifier\": key.arn}",
        ),),
        "checkov CKV_AWS_265",
    ),
)  # fmt: skip
"""DocumentDB and Keyspaces."""

ATLAS = (
    Row(
        "INF502", _ATLAS,
        (_on("backupEnabled", "the cluster has no backups", "say backup_enabled=True"),),
        "prowler clusters_backup_enabled", severity="error", in_dev="warning",
    ),
    Row(
        "INF503", _ATLAS,
        (Want(
            "encryptionAtRestProvider", lambda value: bool(value) and value != "NONE",
            "its disks are encrypted by a key that is not yours to revoke", "say encryption_at_rest_provider=\"AWS\"",
        ),),
        "prowler clusters_encryption_at_rest_enabled", severity="error", in_dev="warning",
    ),
    Row(
        "INF504", _ATLAS,
        (Want(
            "advancedConfiguration.minimumEnabledTlsProtocol", lambda value: value not in ("TLS1_0", "TLS1_1"),
            "clients may use a broken version of TLS", "say minimum_enabled_tls_protocol=\"TLS1_2\"",
        ),),
        "prowler clusters_tls_enabled", severity="error", in_dev="warning",
    ),
    Row(
        "INF505", "mongodbatlas:index/auditing:Auditing",
        (_on("enabled", "nobody can tell afterwards who has logged in or changed what", "say enabled=True"),),
        "prowler projects_auditing_enabled", severity="error", in_dev="warning",
    ),
    Row(
        "INF506", "mongodbatlas:index/projectIpAccessList:ProjectIpAccessList",
        (Want(
            "cidrBlock", lambda value: value not in ("0.0.0.0/0", "::/0"), "every address may connect",
            "name the networks that may, or peer with them",
        ),),
        "prowler projects_network_access_list_exposed_to_internet", severity="error", in_dev="warning",
    ),
    Row(
        "INF507", "mongodbatlas:index/organization:Organization",
        (_on("multiFactorAuthRequired", "a password alone opens it", "say multi_factor_auth_required=True"),),
        "prowler organizations_mfa_required", severity="error", in_dev="warning",
    ),
    Row(
        "INF508", "mongodbatlas:index/organization:Organization",
        (_on("apiAccessListRequired", "keys of the API work from any address", "say api_access_list_required=True"),),
        "prowler organizations_api_access_list_required", severity="error", in_dev="warning",
    ),
)  # fmt: skip
"""Atlas."""

ROWS = {row.code: row for row in (*DYNAMODB, *ELASTICACHE, *DOCUMENTS, *ATLAS)}
"""All rows by their codes."""


@dataclass(frozen=True, slots=True)
class Hardening(Rule):
    """A rule that is a row of the table."""

    def finder(self, level: Level) -> Callable[..., Iterable[Flaw]] | None:
        """See `Rule.finder`."""
        return _FINDERS[self.code] if level == "resource" else None


HARDENING = tuple(Hardening(row.code, severity=row.severity, in_dev=row.in_dev) for row in ROWS.values())
"""The rules of the table."""


def remedies(code: str, one: Resource) -> Iterator[tuple[str, Any]]:
    """(argument, value) of what the remediation of a rule sets; NotKnown where it is not known whether it must."""
    row = ROWS.get(code)
    for want in row.wants if row is not None and one.type == row.type else ():
        if want.remedy is not None and not want.is_met(one.value(want.argument)):
            yield want.argument, want.remedy


def has_remedy(code: str) -> bool:
    """Whether a rule has a remediation."""
    return code in ROWS and any(want.remedy is not None for want in ROWS[code].wants)


def _wanting(row: Row, one: Resource) -> Iterator[Flaw]:
    if one.type != row.type:
        return
    for want in row.wants:
        value = one.value(want.argument)
        if not want.is_met(value):
            problem = f"{want.argument} is {_shown(value)}: {want.problem}"
            yield Flaw(problem=problem, help=want.help, subject=one.urn)


def _lasting(row: Row, one: Resource, *, days: int = 7) -> Iterator[Flaw]:
    """days: how long backups are kept at least."""
    if one.type != row.type:
        return
    for want in row.wants:
        value = one.value(want.argument) or 0
        if value < days:
            problem = f"{want.argument} is {_shown(value)}: {want.problem} for less than {days} days"
            yield Flaw(problem=problem, help=f"{want.help}{days}", subject=one.urn)


def _shown(value: Any) -> str:
    return "not said" if value is None else json.dumps(value)


_FINDERS: dict[str, Callable[..., Iterable[Flaw]]] = {
    row.code: partial(_lasting if row.takes_days else _wanting, row) for row in ROWS.values()
}
