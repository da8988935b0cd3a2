"""Hardening: recommended arguments of resources of DocumentDB and Atlas, as rows of a table.

Names of arguments: https://www.pulumi.com/registry/packages/aws/api-docs/ and .../packages/mongodbatlas/api-docs/,
2026-11-22.
"""

from keywright.engines.findings.hardening import HardeningRow, RequiredArgument, is_stated, on, stated
from keywright.engines.mongodb.schema.capabilities import EXPIRED_CERTIFICATES

_DOCDB = "aws:docdb/cluster:Cluster"
_ATLAS = "mongodbatlas:index/advancedCluster:AdvancedCluster"

ROWS = (
    HardeningRow(
        "INF301", _DOCDB,
        (on(
            "storageEncrypted", "documents and backups are written to disk unencrypted",
            "set storage_encrypted=True, which replaces the cluster",
        ),),
        "checkov CKV_AWS_74; trivy AWS-0021; Security Hub DocumentDB.1", severity="error", in_dev="warning",
    ),
    HardeningRow(
        "INF302", _DOCDB,
        (RequiredArgument(
            "backupRetentionPeriod", is_stated, "backups are kept",
            "set backup_retention_period=",
        ),),
        "checkov CKV_AWS_360; Security Hub DocumentDB.2", severity="error", in_dev="warning", takes_days=True,
    ),
    HardeningRow(
        "INF303", "aws:rds/clusterSnapshotCopy:ClusterSnapshotCopy",
        (RequiredArgument(
            "sharedAccounts", lambda value: not value or "all" not in value, "any AWS account may copy the snapshot",
            "name the accounts in shared_accounts=, without \"all\"",
        ),),
        "Security Hub DocumentDB.3; prowler documentdb_cluster_public_snapshot", severity="error", in_dev="warning",
    ),
    HardeningRow(
        "INF304", _DOCDB,
        (RequiredArgument(
            "enabledCloudwatchLogsExports", lambda value: value is not None and "audit" in value,
            "there is no record of logins and changes",
            "set enabled_cloudwatch_logs_exports=[\"audit\"], and audit_logs in the parameter group",
        ),),
        "checkov CKV_AWS_85, CKV_AWS_104; trivy AWS-0020; Security Hub DocumentDB.4",
        severity="error", in_dev="warning",
    ),
    HardeningRow(
        "INF305", _DOCDB,
        (on(
            "deletionProtection", "anybody with the permission to delete clusters can delete it",
            "set deletion_protection=True", remedy=True,
        ),),
        "Security Hub DocumentDB.5",
    ),
    HardeningRow(
        "INF307", _DOCDB,
        (stated("kmsKeyId", "you can neither revoke nor audit its encryption key", "set kms_key_id="),),
        "checkov CKV_AWS_182, CKV_AWS_292; trivy AWS-0022",
    ),
    HardeningRow(
        "INF502", _ATLAS,
        (on("backupEnabled", "the cluster has no backups", "set backup_enabled=True"),),
        "prowler clusters_backup_enabled", severity="error", in_dev="warning",
    ),
    HardeningRow(
        "INF503", _ATLAS,
        (RequiredArgument(
            "encryptionAtRestProvider", lambda value: bool(value) and value != "NONE",
            "you cannot revoke the encryption key of its disks", "set encryption_at_rest_provider=\"AWS\"",
        ),),
        "prowler clusters_encryption_at_rest_enabled", severity="error", in_dev="warning",
    ),
    HardeningRow(
        "INF504", _ATLAS,
        (RequiredArgument(
            "advancedConfiguration.minimumEnabledTlsProtocol", lambda value: value not in ("TLS1_0", "TLS1_1"),
            "clients may use a broken version of TLS", "set minimum_enabled_tls_protocol=\"TLS1_2\"",
        ),),
        "prowler clusters_tls_enabled", severity="error", in_dev="warning",
    ),
    HardeningRow(
        "INF505", "mongodbatlas:index/auditing:Auditing",
        (on("enabled", "there is no record of logins and changes", "set enabled=True"),),
        "prowler projects_auditing_enabled", severity="error", in_dev="warning",
    ),
    HardeningRow(
        "INF506", "mongodbatlas:index/projectIpAccessList:ProjectIpAccessList",
        (RequiredArgument(
            "cidrBlock", lambda value: value not in ("0.0.0.0/0", "::/0"), "every address may connect",
            "name the allowed networks, or use VPC peering",
        ),),
        "prowler projects_network_access_list_exposed_to_internet", severity="error", in_dev="warning",
    ),
    HardeningRow(
        "INF507", "mongodbatlas:index/organization:Organization",
        (on("multiFactorAuthRequired", "a password is enough to log in", "set multi_factor_auth_required=True"),),
        "prowler organizations_mfa_required", severity="error", in_dev="warning",
    ),
    HardeningRow(
        "INF508", "mongodbatlas:index/organization:Organization",
        (on("apiAccessListRequired", "API keys work from any address", "set api_access_list_required=True"),),
        "prowler organizations_api_access_list_required", severity="error", in_dev="warning",
    ),
    HardeningRow(
        "INF311", "aws:docdb/clusterInstance:ClusterInstance",
        (RequiredArgument(
            "caCertIdentifier", lambda value: value not in EXPIRED_CERTIFICATES,
            "the certificate has expired, and clients that verify it cannot connect",
            "set ca_cert_identifier=\"rds-ca-rsa2048-g1\", and give clients the bundle of all regions",
        ),),
        "none", severity="error", in_dev="warning",
    ),
    HardeningRow(
        "INF312", "aws:docdb/elasticCluster:ElasticCluster",
        (
            stated("kmsKeyId", "you can neither revoke nor audit its encryption key", "set kms_key_id="),
            RequiredArgument(
                "backupRetentionPeriod", lambda value: value is not None and value >= 7,
                "data that is overwritten on a Friday cannot be restored a week later",
                "set backup_retention_period=7 or more",
            ),
        ),
        "none",
    ),
    HardeningRow(
        "INF509", _ATLAS,
        (on(
            "terminationProtectionEnabled", "anybody with the permission to delete clusters can delete it",
            "set termination_protection_enabled=True",
        ),),
        "none",
    ),
    HardeningRow(
        "INF510", _ATLAS,
        (
            on(
                "pitEnabled", "only the last snapshot can be restored, not the minute before a mistake",
                "set pit_enabled=True",
            ),
            on(
                "retainBackupsEnabled", "the backups are deleted together with the cluster",
                "set retain_backups_enabled=True",
            ),
        ),
        "none",
    ),
)  # fmt: skip
"""The rows, one per rule."""
