"""Hardening: recommended arguments of resources of DynamoDB and DAX, as rows of a table.

Names of arguments: https://www.pulumi.com/registry/packages/aws/api-docs/,
2026-11-22.
"""

from keywright.engines.findings.hardening import HardeningRow, RequiredArgument, on, stated

TABLE = "aws:dynamodb/table:Table"
_DAX = "aws:dax/cluster:Cluster"

ROWS = (
    HardeningRow(
        "INF101", TABLE,
        (on(
            "pointInTimeRecovery.enabled", "the table cannot be restored to a point in time of the last weeks",
            "set point_in_time_recovery={\"enabled\": True}; in a stack file, point-in-time-recovery: true",
            remedy=True,
        ),),
        "checkov CKV_AWS_28, 165; trivy AWS-0024; prowler dynamodb_tables_pitr_enabled; Security Hub DynamoDB.2",
        severity="error",
    ),
    HardeningRow(
        "INF102", TABLE,
        (stated(
            "serverSideEncryption.kmsKeyArn", "you can neither revoke nor audit the encryption key of the table",
            "set server_side_encryption={\"enabled\": True, \"kms_key_arn\": key.arn}",
        ),),
        "checkov CKV_AWS_119, CKV_AWS_271; trivy AWS-0025; AWSGuard",
    ),
    HardeningRow(
        "INF103", TABLE,
        (on(
            "deletionProtectionEnabled", "anybody with the permission to delete tables can delete it with all its data",
            "set deletion_protection_enabled=True; in a stack file, protect: true", remedy=True,
        ),),
        "Security Hub DynamoDB.6; prowler dynamodb_table_deletion_protection_enabled",
        severity="error",
    ),
    HardeningRow(
        "INF106", _DAX,
        (on(
            "serverSideEncryption.enabled", "cached items are written to disk unencrypted",
            "set server_side_encryption={\"enabled\": True}, which replaces the cluster",
        ),),
        "checkov CKV_AWS_47; trivy AWS-0023; Security Hub DynamoDB.3",
    ),
    HardeningRow(
        "INF107", _DAX,
        (RequiredArgument(
            "clusterEndpointEncryptionType", lambda value: value == "TLS", "items cross the network unencrypted",
            "set cluster_endpoint_encryption_type=\"TLS\", which replaces the cluster",
        ),),
        "checkov CKV_AWS_239; Security Hub DynamoDB.7",
    ),
    HardeningRow(
        "INF108", _DAX,
        (
            RequiredArgument(
                "replicationFactor", lambda value: value is not None and value >= 2,
                "one node contains the whole cache", "set replication_factor=3, in three zones",
            ),
            RequiredArgument(
                "availabilityZones", lambda value: value is None or len(set(value)) > 1,
                "all nodes are in one zone", "name at least two zones, or none",
            ),
        ),
        "prowler dynamodb_accelerator_cluster_multi_az",
    ),
)  # fmt: skip
"""The rows, one per rule."""
