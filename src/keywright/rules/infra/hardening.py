"""Hardening: arguments that a resource had better have, as rows of one table.

Names of arguments: https://www.pulumi.com/registry/packages/aws/api-docs/ and .../packages/mongodbatlas/api-docs/,
2026-11-22.
"""

from .wants import Row, Want, is_said, not_off, on, said

TABLE = "aws:dynamodb/table:Table"
_DAX = "aws:dax/cluster:Cluster"
_ELASTICACHE = "aws:elasticache/replicationGroup:ReplicationGroup"
_MEMORYDB = "aws:memorydb/cluster:Cluster"
_DOCDB = "aws:docdb/cluster:Cluster"
_ATLAS = "mongodbatlas:index/advancedCluster:AdvancedCluster"

DYNAMODB = (
    Row(
        "INF101", TABLE,
        (on(
            "pointInTimeRecovery.enabled", "the table cannot be restored to a moment of the last weeks",
            "say point_in_time_recovery={\"enabled\": True}; in a stack file, point-in-time-recovery: true",
            remedy=True,
        ),),
        "checkov CKV_AWS_28, 165; trivy AWS-0024; prowler dynamodb_tables_pitr_enabled; Security Hub DynamoDB.2",
        severity="error",
    ),
    Row(
        "INF102", TABLE,
        (said(
            "serverSideEncryption.kmsKeyArn", "the table is encrypted by a key that is not yours to revoke or to audit",
            "say server_side_encryption={\"enabled\": True, \"kms_key_arn\": key.arn}",
        ),),
        "checkov CKV_AWS_119, CKV_AWS_271; trivy AWS-0025; AWSGuard",
    ),
    Row(
        "INF103", TABLE,
        (on(
            "deletionProtectionEnabled", "anybody who may delete tables can delete it, with all that is in it",
            "say deletion_protection_enabled=True; in a stack file, protect: true", remedy=True,
        ),),
        "Security Hub DynamoDB.6; prowler dynamodb_table_deletion_protection_enabled",
        severity="error",
    ),
    Row(
        "INF106", _DAX,
        (on(
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
        (on(
            "atRestEncryptionEnabled", "snapshots and swapped memory are written to disk unencrypted",
            "say at_rest_encryption_enabled=True, which makes another group",
        ),),
        "checkov CKV_AWS_29; trivy AWS-0045; Security Hub ElastiCache.4; cfn-lint E3704",
        severity="error", in_dev="warning",
    ),
    Row(
        "INF202", _ELASTICACHE,
        (on(
            "transitEncryptionEnabled", "commands, passwords and values cross the network unencrypted",
            "say transit_encryption_enabled=True",
        ),),
        "checkov CKV_AWS_30; trivy AWS-0051; Security Hub ElastiCache.5",
        severity="error", in_dev="warning",
    ),
    Row(
        "INF204", _ELASTICACHE,
        (said("kmsKeyId", "it is encrypted by a key that is not yours to revoke or to audit", "say kms_key_id="),),
        "checkov CKV_AWS_191", severity="error", in_dev="warning",
    ),
    Row(
        "INF205", _ELASTICACHE,
        (Want(
            "snapshotRetentionLimit", is_said, "snapshots are kept",
            "say snapshot_retention_limit=",
        ),),
        "trivy AWS-0050; Security Hub ElastiCache.1", takes_days=True,
    ),
    Row(
        "INF206", _ELASTICACHE,
        (not_off(
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
            not_off(
                "tlsEnabled", "commands, passwords and values cross the network unencrypted", "leave tls_enabled out"
            ),
            said("kmsKeyArn", "it is encrypted by a key that is not yours to revoke or to audit", "say kms_key_arn="),
            not_off(
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
        (on(
            "storageEncrypted", "documents and backups are written to disk unencrypted",
            "say storage_encrypted=True, which makes another cluster",
        ),),
        "checkov CKV_AWS_74; trivy AWS-0021; Security Hub DocumentDB.1", severity="error", in_dev="warning",
    ),
    Row(
        "INF302", _DOCDB,
        (Want(
            "backupRetentionPeriod", is_said, "backups are kept",
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
        (on(
            "deletionProtection", "anybody who may delete clusters can delete it", "say deletion_protection=True",
            remedy=True,
        ),),
        "Security Hub DocumentDB.5",
    ),
    Row(
        "INF307", _DOCDB,
        (said("kmsKeyId", "it is encrypted by a key that is not yours to revoke or to audit", "say kms_key_id="),),
        "checkov CKV_AWS_182, CKV_AWS_292; trivy AWS-0022",
    ),
    Row(
        "INF401", "aws:keyspaces/table:Table",
        (said(
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
        (on("backupEnabled", "the cluster has no backups", "say backup_enabled=True"),),
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
        (on("enabled", "nobody can tell afterwards who has logged in or changed what", "say enabled=True"),),
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
        (on("multiFactorAuthRequired", "a password alone opens it", "say multi_factor_auth_required=True"),),
        "prowler organizations_mfa_required", severity="error", in_dev="warning",
    ),
    Row(
        "INF508", "mongodbatlas:index/organization:Organization",
        (on("apiAccessListRequired", "keys of the API work from any address", "say api_access_list_required=True"),),
        "prowler organizations_api_access_list_required", severity="error", in_dev="warning",
    ),
)  # fmt: skip
"""Atlas."""

ROWS = {row.code: row for row in (*DYNAMODB, *ELASTICACHE, *DOCUMENTS, *ATLAS)}
"""All rows by their codes."""
