"""Hardening: recommended arguments of resources of ElastiCache and MemoryDB, as rows of a table.

Names of arguments: https://www.pulumi.com/registry/packages/aws/api-docs/,
2026-11-22.
"""

from keywright.engines.findings.hardening import HardeningRow, RequiredArgument, is_stated, not_off, on, stated

_ELASTICACHE = "aws:elasticache/replicationGroup:ReplicationGroup"
_MEMORYDB = "aws:memorydb/cluster:Cluster"

ROWS = (
    HardeningRow(
        "INF201", _ELASTICACHE,
        (on(
            "atRestEncryptionEnabled", "snapshots and swapped memory are written to disk unencrypted",
            "set at_rest_encryption_enabled=True, which replaces the group",
        ),),
        "checkov CKV_AWS_29; trivy AWS-0045; Security Hub ElastiCache.4; cfn-lint E3704",
        severity="error", in_dev="warning",
    ),
    HardeningRow(
        "INF202", _ELASTICACHE,
        (on(
            "transitEncryptionEnabled", "commands, passwords and values cross the network unencrypted",
            "set transit_encryption_enabled=True",
        ),),
        "checkov CKV_AWS_30; trivy AWS-0051; Security Hub ElastiCache.5",
        severity="error", in_dev="warning",
    ),
    HardeningRow(
        "INF204", _ELASTICACHE,
        (stated("kmsKeyId", "you can neither revoke nor audit its encryption key", "set kms_key_id="),),
        "checkov CKV_AWS_191", severity="error", in_dev="warning",
    ),
    HardeningRow(
        "INF205", _ELASTICACHE,
        (RequiredArgument(
            "snapshotRetentionLimit", is_stated, "snapshots are kept",
            "set snapshot_retention_limit=",
        ),),
        "trivy AWS-0050; Security Hub ElastiCache.1", takes_days=True,
    ),
    HardeningRow(
        "INF206", _ELASTICACHE,
        (not_off(
            "autoMinorVersionUpgrade", "security patches are installed only by hand",
            "remove auto_minor_version_upgrade, or set it to True",
        ),),
        "Security Hub ElastiCache.2",
    ),
    HardeningRow(
        "INF207", _ELASTICACHE,
        (RequiredArgument(
            "subnetGroupName", lambda value: bool(value) and value != "default",
            "it is in the default subnet group, whose subnets are usually public",
            "set subnet_group_name= to a group of private subnets",
        ),),
        "checkov CKV_AWS_196, CKV_AWS_323; trivy AWS-0049; Security Hub ElastiCache.7",
    ),
    HardeningRow(
        "INF209", _MEMORYDB,
        (
            not_off(
                "tlsEnabled", "commands, passwords and values cross the network unencrypted", "remove tls_enabled"
            ),
            stated("kmsKeyArn", "you can neither revoke nor audit its encryption key", "set kms_key_arn="),
            not_off(
                "autoMinorVersionUpgrade", "security patches are installed only by hand",
                "remove auto_minor_version_upgrade",
            ),
        ),
        "checkov CKV_AWS_201, CKV_AWS_202", severity="error", in_dev="warning",
    ),
    HardeningRow(
        "INF212", _MEMORYDB,
        (RequiredArgument(
            "aclName", lambda value: value != "open-access",
            "every client with network access runs every command without a password",
            "set acl_name= to an aws.memorydb.Acl with the users of the application",
        ),),
        "none", severity="error", in_dev="warning",
    ),
    HardeningRow(
        "INF214", _MEMORYDB,
        (RequiredArgument(
            "numReplicasPerShard", lambda value: value is None or value >= 1,
            "when a node fails, its shard is down until a new node has read the log",
            "remove num_replicas_per_shard, whose default is 1",
        ),),
        "none",
    ),
    HardeningRow(
        "INF215", _MEMORYDB,
        (RequiredArgument(
            "snapshotRetentionLimit", is_stated, "snapshots are kept",
            "set snapshot_retention_limit=",
        ),),
        "none", takes_days=True,
    ),
    HardeningRow(
        "INF216", "aws:memorydb/snapshot:Snapshot",
        (stated("kmsKeyArn", "you can neither revoke nor audit the encryption key of the copy", "set kms_key_arn="),),
        "checkov CKV_AWS_278",
    ),
)  # fmt: skip
"""The rows, one per rule."""
